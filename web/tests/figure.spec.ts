import { expect, test } from "@playwright/test";
import type { HeldOut } from "../src/api/client";
import { percent, ratio, sizes, time } from "../src/lib/format";
import { richest } from "./server";

/** What the bar of a held-out sample says to a screen reader. */
function words({ kernel, variant, parameters, measured, predicted }: HeldOut): string {
  const what = `${kernel} ${variant} ${sizes(parameters)}: measured ${time(measured)}, `;
  if (predicted == null) return `${what}no forecast`;
  return `${what}predicted ${time(predicted)}, ${predicted > 0 ? ratio(predicted / measured) : "impossible"}`;
}

for (const key of ["kernel", "row"] as const) {
  test(`every sample held out by ${key} is a bar or a mark, and a row of the table`, async ({
    page,
    request,
  }) => {
    const { id, validation } = await richest(request);
    const holdOut = validation.hold_outs.find((one) => one.key === key);
    const rows = holdOut?.rows ?? [];
    expect(rows.length).toBeGreaterThan(0);
    await page.goto(`/?model=${id}&holdout=${key}`);
    const figure = page.getByRole("listbox", { name: "Predicted ÷ measured" });
    await expect(figure.getByRole("option")).toHaveCount(rows.length);
    for (const row of rows) {
      await expect(figure.getByRole("option", { name: words(row) }).first()).toBeAttached();
    }
    const overall = holdOut?.overall;
    if (overall)
      await expect(page.locator("#chosen dl").first()).toContainText(percent(overall.mean_ape));

    await page.getByText("The figure as a table").click();
    await expect(page.locator("details tbody tr")).toHaveCount(rows.length);
  });
}

test("choosing a variant leaves only its bars", async ({ page, request }) => {
  const { id, validation } = await richest(request);
  const rows = validation.hold_outs.find(({ key }) => key === "kernel")?.rows ?? [];
  const variant = rows[0]?.variant ?? "";
  await page.goto(`/?model=${id}`);
  const variants = page.getByRole("group", { name: "Variant" });
  await variants.getByRole("link", { name: variant, exact: true }).click();
  const own = rows.filter((row) => row.variant === variant);
  await expect(page.getByRole("option")).toHaveCount(own.length);
});

test("the pointer gets exact numbers with units", async ({ page, request }) => {
  const { id, validation } = await richest(request);
  const rows = validation.hold_outs.find(({ key }) => key === "kernel")?.rows ?? [];
  const row = rows.find(({ predicted }) => predicted != null);
  if (!row) throw new Error("no held-out sample was forecast");
  await page.goto(`/?model=${id}`);
  await page
    .getByRole("option", { name: words(row) })
    .first()
    .hover();
  await expect(page.locator(".tooltip")).toContainText(time(row.measured));
  await expect(page.locator(".tooltip")).toContainText(time(row.predicted ?? NaN));
});

test("the keyboard walks the bars", async ({ page, request }) => {
  const { id } = await richest(request);
  await page.goto(`/?model=${id}`);
  const bars = page.getByRole("option");
  await bars.first().focus();
  await page.keyboard.press("Shift+Tab");
  await expect(bars.first()).not.toBeFocused();
  await page.keyboard.press("Tab");
  await expect(bars.first()).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(bars.nth(1)).toBeFocused();
  await expect(page.locator(".tooltip")).toBeVisible();
  await page.keyboard.press("End");
  await expect(bars.last()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.locator(".tooltip")).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(page.getByText("The figure as a table")).toBeFocused();
});
