import { expect, test } from "@playwright/test";

test("the first page takes at most 100 kB of JavaScript", async ({ page }) => {
  const scripts: Promise<number>[] = [];
  page.on("response", (response) => {
    if (!response.url().endsWith(".js")) return;
    expect(response.headers()["content-encoding"]).toBe("gzip");
    scripts.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    );
  });
  await page.goto("/");
  await expect(page.getByRole("heading").first()).toBeAttached();
  await expect(page.locator("[aria-busy]")).toHaveCount(0);
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(100_000);
});
