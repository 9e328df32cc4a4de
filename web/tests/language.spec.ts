import { expect, test } from "@playwright/test";
import { en } from "../src/i18n/en";
import { ja } from "../src/i18n/ja";

const pages = Object.entries(en.nav.pages).map(([key]) => key as keyof typeof en.nav.pages);

test.describe("a browser that prefers Japanese", () => {
  test.use({ locale: "ja-JP" });

  test("gets every page in Japanese", async ({ page }) => {
    for (const key of pages) {
      await page.goto(`/${key}`);
      await expect(page.locator("html")).toHaveAttribute("lang", "ja");
      await expect(page.locator("nav [aria-current]")).toHaveText(ja.nav.pages[key]);
    }
  });
});

test("the switch changes the language, and it stays", async ({ page }) => {
  await page.goto("/models");
  await expect(page.getByRole("heading", { name: en.models.title })).toBeVisible();
  await page.getByRole("button", { name: en.nav.settings }).click();
  await page.getByRole("button", { name: "日本語" }).click();
  await expect(page.getByRole("heading", { name: ja.models.title })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.locator("nav").getByRole("link", { name: ja.nav.pages.kernels }).click();
  await expect(page).toHaveURL(/\/kernels\?language=ja$/);
  await page.goBack();
  await page.reload();
  await expect(page.getByRole("heading", { name: ja.models.title })).toBeVisible();
  await page.getByRole("button", { name: ja.nav.settings }).click();
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.getByRole("heading", { name: en.models.title })).toBeVisible();
});

test("a link shows its sender’s language and theme, and changes nothing that the reader chose", async ({
  page,
}) => {
  await page.goto("/models?language=ja&theme=dark");
  await expect(page.getByRole("heading", { name: ja.models.title })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.goto("/models");
  await expect(page.getByRole("heading", { name: en.models.title })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "system");
});
