import { readFile } from "node:fs/promises";
import { type Download, expect, test } from "@playwright/test";
import { csvParse } from "d3-dsv";
import type { HeldOut } from "../src/api/client";
import { tipText } from "../src/chart/tip";
import { en } from "../src/i18n/en";
import { mark } from "../src/model/ratioFigure";
import { percent, time } from "../src/lib/format";
import { tip } from "../src/model/heldOut";
import { richest } from "./server";

const FIGURE = en.ratio.label;

/** What the bar of a held-out sample says to a screen reader. */
function words(row: HeldOut, factor?: number): string {
  return tipText(tip(mark(row), "s", en, factor));
}

async function text(download: Download): Promise<string> {
  return readFile(await download.path(), "utf8");
}

for (const key of ["kernel", "row"] as const) {
  test(`every sample held out by ${key} is a bar or a mark, and a row of the table`, async ({
    page,
    request,
  }) => {
    const { id, validation, detail } = await richest(request);
    // Intervals are those of unseen kernels.
    const factor = key === "kernel" ? detail.coverage?.typical_factor : undefined;
    const holdOut = validation.hold_outs.find((one) => one.key === key);
    const rows = holdOut?.rows ?? [];
    expect(rows.length).toBeGreaterThan(0);
    await page.goto(`/models/${id}?holdout=${key}`);
    const figure = page.getByRole("listbox", { name: FIGURE });
    await expect(figure.getByRole("option")).toHaveCount(rows.length);
    for (const row of rows) {
      await expect(
        figure.getByRole("option", { name: words(row, factor), exact: true }).first(),
      ).toBeAttached();
    }
    const overall = holdOut?.overall;
    if (overall)
      await expect(page.locator("section dl").first()).toContainText(percent(overall.mean_ape));

    await page.getByText(en.figure.numbers).first().click();
    await expect(page.getByRole("group", { name: FIGURE }).locator("tbody tr")).toHaveCount(
      rows.length,
    );
  });
}

test("a variant can be looked at alone", async ({ page, request }) => {
  const { id, validation } = await richest(request);
  const rows = validation.hold_outs.find(({ key }) => key === "kernel")?.rows ?? [];
  const variant = rows[0]?.variant ?? "";
  await page.goto(`/models/${id}`);
  const variants = page.getByRole("group", { name: "Variant" });
  await variants.getByRole("link", { name: variant, exact: true }).click();
  const own = rows.filter((row) => row.variant === variant);
  await expect(page.getByRole("listbox", { name: FIGURE }).getByRole("option")).toHaveCount(
    own.length,
  );
});

test("the pointer gets exact numbers with units", async ({ page, request }) => {
  const { id, validation, detail } = await richest(request);
  const rows = validation.hold_outs.find(({ key }) => key === "kernel")?.rows ?? [];
  const row = rows.find(({ predicted }) => predicted != null);
  if (!row) throw new Error("no held-out sample was forecast");
  await page.goto(`/models/${id}`);
  const figure = page.getByRole("listbox", { name: FIGURE });
  await figure
    .getByRole("option", { name: words(row, detail.coverage?.typical_factor), exact: true })
    .first()
    .hover();
  await expect(page.locator(".tooltip")).toContainText(time(row.measured));
  await expect(page.locator(".tooltip")).toContainText(time(row.predicted ?? NaN));
});

test("the keyboard walks the bars and leads to the sample", async ({ page, request }) => {
  const { id } = await richest(request);
  await page.goto(`/models/${id}`);
  const figure = page.getByRole("listbox", { name: FIGURE });
  const bars = figure.getByRole("option");
  await figure.focus();
  await expect(bars.first()).toBeFocused();
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
  await expect(page.getByText(en.figure.numbers).first()).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(bars.last()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/samples\//);
});

test("a figure is saved as SVG that stands alone, and as CSV with unrounded numbers", async ({
  page,
  request,
}) => {
  const { id, validation } = await richest(request);
  const rows = validation.hold_outs.find(({ key }) => key === "kernel")?.rows ?? [];
  await page.goto(`/models/${id}`);
  const saved = async (kind: string) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save as ${kind}: ${FIGURE}` }).click();
    return text(await download);
  };
  const svg = await saved("SVG");
  expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(svg).not.toContain("var(--");
  const table = csvParse(await saved("CSV"));
  expect(table).toHaveLength(rows.length);
  expect(table.map((row) => Number(row["measured (s)"])).sort()).toEqual(
    rows.map(({ measured }) => measured).sort(),
  );
});
