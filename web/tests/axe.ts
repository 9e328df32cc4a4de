/** Checks that hold for every page, at each width of the window and in each theme. */
import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The violations that axe finds on the page, by all of its rules or by some. */
async function violations(page: Page, rules?: string[]) {
  const { violations } = await page.evaluate(
    (only) => (only ? window.axe.run({ runOnly: only }) : window.axe.run()),
    rules,
  );
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}

/** Nothing sticks out, axe finds nothing, and all can be read in the dark too. */
export async function looksRight(page: Page) {
  await page.evaluate(axe.source);
  for (const width of [1024, 1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // Figures follow the window's width a moment later.
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(wide, `${width.toString()} pixels`).toBeLessThanOrEqual(width);
    // Between two that are looked at nothing is another but the place of things.
    if (width !== 1024) expect(await violations(page), `${width.toString()} pixels`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violations(page, ["color-contrast"]), "in the dark").toEqual([]);
}
