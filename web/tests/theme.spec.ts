import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { en } from "../src/i18n/en";

/** Whether the page stands on a light ground. */
async function isLight(page: Page): Promise<boolean> {
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  return Number(/\d+/.exec(ground)?.[0] ?? NaN) > 127;
}

test.use({ colorScheme: "dark" });

test("the switch changes the theme, it stays, and the system’s can be had back", async ({
  page,
}) => {
  await page.goto("/");
  const settings = page.getByRole("button", { name: en.nav.settings });
  const themes = page.getByRole("group", { name: en.nav.theme });
  await settings.click();
  await expect(themes.getByRole("button", { name: en.nav.themes.system })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  expect(await isLight(page)).toBe(false);
  await themes.getByRole("button", { name: en.nav.themes.light }).click();
  expect(await isLight(page)).toBe(true);
  await page.reload();
  await settings.click();
  await expect(themes.getByRole("button", { name: en.nav.themes.light })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  expect(await isLight(page)).toBe(true);
  await themes.getByRole("button", { name: en.nav.themes.system }).click();
  expect(await isLight(page)).toBe(false);
});

test("a figure is saved in the theme that was chosen", async ({ page }) => {
  await page.goto("/kernels/matmul_float");
  const saved = async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save as SVG: ${en.kernel.timeBySize}` }).click();
    const svg = await readFile(await (await download).path(), "utf8");
    return /^<svg [^>]*background: ?([^;"]+)/.exec(svg)?.[1];
  };
  const dark = await saved();
  await page.getByRole("button", { name: en.nav.settings }).click();
  await page.getByRole("button", { name: en.nav.themes.light, exact: true }).click();
  expect(dark).toBe("rgb(24, 31, 38)");
  expect(await saved()).toBe("rgb(255, 255, 255)");
});
