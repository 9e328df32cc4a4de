import { expect, test } from "@playwright/test";
import { models, richest } from "./server";

test("the address holds the model, the hold-out and the variant, and back works", async ({
  page,
  request,
}) => {
  const { id, validation } = await richest(request);
  await page.goto("/models?show=all");
  await page.locator(`tr[data-model="${id}"]`).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/models/${id}$`));
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
    await page.goto(`/models/${id}?holdout=row`);
    await expect(page.getByRole("definition").filter({ hasText: id })).toBeVisible();
  }
});

test("every page has its place in the navigation and its title", async ({ page }) => {
  await page.goto("/");
  const navigation = page.getByRole("navigation", { name: "Pages" });
  for (const name of [
    "Models",
    "Across devices",
    "Forecast",
    "Kernels",
    "Samples",
    "Devices",
    "Agents and jobs",
    "Overview",
  ]) {
    await navigation.getByRole("link", { name, exact: true }).click();
    await expect(navigation.locator("[aria-current]")).toHaveText(name);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(/Kerncast/);
  }
  for (const name of ["Quarantine", "Access"]) {
    await page.getByRole("button", { name: "Settings" }).click();
    const settings = page.getByRole("navigation", { name: "Settings" });
    await settings.getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(settings).toBeHidden();
  }
});

test("an address that leads nowhere says so", async ({ page }) => {
  await page.goto("/nowhere");
  await page.getByRole("link", { name: "Overview" }).last().click();
  await expect(page).toHaveURL(/\/$/);
});
