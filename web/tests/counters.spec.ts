/* What a counter counts, in the reader's language. */
import { expect, test } from "@playwright/test";
import { COUNTERS } from "../src/i18n/ja/server/counters";
import { ja } from "../src/i18n/ja";
import { samples } from "./server";

test.use({ locale: "ja-JP" });

test("a sample's counters are described in Japanese", async ({ page, request }) => {
  const [sample] = await samples(request, "matmul_float");
  await page.goto(`/samples/${sample?.id ?? ""}`);
  const words = COUNTERS["launch"]?.["work_groups"] ?? "";
  const row = page.getByRole("row", { name: "work_groups" }).first();
  await expect(row).toContainText(words);
  await page.getByRole("searchbox", { name: ja.sample.search }).fill(words);
  await expect(row).toBeVisible();
});
