import { expect, test } from "@playwright/test";
import { en } from "../src/i18n/en";
import { count, factor, percent } from "../src/lib/format";
import { isOfKernels, judgingErrors, name } from "../src/lib/models";
import { models } from "./server";

test("every model is a row with the server's numbers", async ({ page, request }) => {
  const all = await models(request);
  expect(all.length).toBeGreaterThan(0);
  await page.goto("/models");
  // The microbenchmark's line is no champion among others.
  const champions = all.filter((model) => model.champion && isOfKernels(model));
  const decided = champions.length;
  expect(decided).toBeGreaterThan(0);
  await expect(page.locator("tr[data-model]").getByText("champion")).toHaveCount(decided);
  await page.getByRole("group", { name: "Show" }).getByRole("link", { name: "all" }).click();
  await expect(page.locator("tr[data-model]")).toHaveCount(all.length);
  for (const model of all) {
    const row = page.locator(`tr[data-model="${model.id}"]`);
    await expect(row.getByRole("link")).toHaveText(name(model));
    await expect(row.getByText("champion")).toHaveCount(champions.includes(model) ? 1 : 0);
    if (model.refusal != null) await expect(row).toContainText(model.refusal);
    const [kernel, single] = [model.leave_one_kernel_out, model.leave_one_row_out];
    if (kernel) {
      const cells = [percent(kernel.mean_ape), percent(kernel.median_ape)];
      if (kernel.factor != null) cells.push(factor(kernel.factor));
      cells.push(`${count(kernel.negative)} of ${count(kernel.n)}`);
      for (const cell of cells)
        await expect(row.getByText(cell, { exact: true }).first()).toBeVisible();
    }
    if (single)
      await expect(row.getByText(percent(single.mean_ape), { exact: true }).first()).toBeVisible();
    for (const warning of model.warnings) {
      await expect(row.locator("xpath=following-sibling::tr[1]")).toContainText(warning);
    }
  }
});

test("a model says by what it is judged", async ({ page, request }) => {
  const champion = (await models(request)).find(
    (model) => model.champion && judgingErrors(model) != null,
  );
  if (!champion?.judged_by) throw new Error("no champion is judged");
  await page.goto(`/models/${champion.id}`);
  const line = page.getByText(en.model.judgedBy(en.model.leftOut[champion.judged_by]));
  await expect(line).toContainText(factor(judgingErrors(champion)?.factor ?? NaN));
});

test("a server that went away is said, and its return is noticed", async ({ page, context }) => {
  await page.goto("/models");
  await expect(page.locator("tr[data-model]").first()).toBeVisible();
  await context.setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  const notice = page.getByRole("alert").filter({ hasText: "The server does not answer" });
  await expect(notice).toBeVisible();
  await context.setOffline(false);
  await notice.getByRole("button", { name: "Try again now" }).click();
  await expect(notice).toHaveCount(0);
});

test("a model that does not exist gets the server's words and a way on", async ({ page }) => {
  await page.goto("/models/00000000-0000-7000-8000-000000000000");
  await expect(page.getByRole("alert")).toContainText("This can’t be shown");
  await page.getByRole("link", { name: "All models" }).click();
  await expect(page.locator("tr[data-model]").first()).toBeVisible();
});
