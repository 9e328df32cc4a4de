import { expect, test } from "@playwright/test";
import axe from "axe-core";
import { richest } from "./server";

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("the page follows the reader's theme", async ({ page }) => {
      await page.goto("/");
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [red = NaN] = (/\d+/.exec(ground) ?? []).map(Number);
      expect(red > 127).toBe(colorScheme === "light");
    });

    for (const width of [1440, 1024, 390]) {
      test(`axe finds nothing, and nothing sticks out, at ${width.toString()} pixels`, async ({
        page,
        request,
      }) => {
        const { id } = await richest(request);
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`/?model=${id}`);
        await page.getByRole("button", { name: "Fill in the means" }).click();
        await page.getByRole("button", { name: "Forecast", exact: true }).click();
        await expect(page.locator("output")).toBeVisible();
        for (const more of await page.locator("summary").all()) await more.click();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(width);
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(() => window.axe.run());
        expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      });
    }
  });
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
