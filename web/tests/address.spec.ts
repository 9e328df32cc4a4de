import { expect, test } from "@playwright/test";
import { models, richest } from "./server";

test("the address holds the model, the hold-out and the variant, and back works", async ({
  page,
  request,
}) => {
  const { id, validation } = await richest(request);
  await page.goto("/");
  await page.locator(`tr[data-model="${id}"]`).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`model=${id}`));
  const holdOut = page.getByRole("group", { name: "Left out together" });
  await expect(holdOut.locator("[aria-current]")).toHaveText("kernel");

  await holdOut.getByRole("link", { name: "row" }).click();
  await expect(page).toHaveURL(/holdout=row/);
  const [variant = ""] = (validation.hold_outs[0]?.rows ?? []).map((row) => row.variant).sort();
  const variants = page.getByRole("group", { name: "Variant" });
  await variants.getByRole("link", { name: variant, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`holdout=row.*variant=${variant}`));

  await page.goBack();
  await expect(variants.locator("[aria-current]")).toHaveText("all");
  await expect(holdOut.locator("[aria-current]")).toHaveText("row");
  await page.goBack();
  await expect(holdOut.locator("[aria-current]")).toHaveText("kernel");
  await page.goForward();
  await expect(holdOut.locator("[aria-current]")).toHaveText("row");
});

test("a link shows what its sender saw", async ({ page, request }) => {
  for (const { id } of (await models(request)).slice(0, 5)) {
    await page.goto(`/?model=${id}&holdout=row`);
    await expect(page.locator("#chosen code").filter({ hasText: id }).first()).toBeVisible();
    await expect(page.locator(`tr[data-model="${id}"] a`)).toHaveAttribute("aria-current", "true");
  }
});
