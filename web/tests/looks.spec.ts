import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import axe from "axe-core";
import { devices, kernels, richest } from "./server";

/** Every page with something on it. */
async function addresses(request: APIRequestContext): Promise<string[]> {
  const { id, validation } = await richest(request);
  const [row] = validation.hold_outs[0]?.rows ?? [];
  const device = (await devices(request)).find(({ samples }) => samples > 0)?.id ?? 0;
  const kernel = (await kernels(request)).find(({ variants }) => variants.length > 1)?.name ?? "";
  const sample = `/samples/${row?.sample ?? ""}?kernel=${row?.kernel ?? ""}`;
  return [
    "/",
    "/models",
    `/models/${id}`,
    `/forecast?model=${id}`,
    "/kernels",
    `/kernels/${kernel}`,
    "/devices",
    `/devices/${device.toString()}`,
    "/agents",
    sample,
  ];
}

/** Opens what can be opened, and asks for what can be asked for. */
async function unfold(page: Page) {
  await expect(page.locator("h1").first()).toBeVisible();
  await expect(page.locator("[aria-busy], main > .pulse")).toHaveCount(0);
  const means = page.getByRole("button", { name: "Fill in the means" });
  if ((await means.count()) > 0) {
    await means.click();
    await page.getByRole("button", { name: "Forecast", exact: true }).click();
    await expect(page.locator("output")).toBeVisible();
  }
  for (const more of await page.locator("summary").all()) await more.click();
}

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
        await page.setViewportSize({ width, height: 900 });
        for (const address of await addresses(request)) {
          await page.goto(address);
          await unfold(page);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          expect.soft(wide, address).toBeLessThanOrEqual(width);
          await page.evaluate(axe.source);
          const { violations } = await page.evaluate(() => window.axe.run());
          const found = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
          expect.soft(found, address).toEqual([]);
        }
      });
    }
  });
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
