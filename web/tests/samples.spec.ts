/* The listing of samples, two side by side, and the search over everything. */
import { expect, type Page, test } from "@playwright/test";
import type { Sample } from "../src/api/client";
import { en } from "../src/i18n/en";
import { count, ratio, time } from "../src/lib/format";
import { devices, fitted, get, kernels, samples, shortNames } from "./server";

const rows = (page: Page) => page.getByRole("table").locator("tbody tr");

test("samples are filtered by the server, sorted and searched, and the address holds it", async ({
  page,
  request,
}) => {
  const all = await samples(request, "matmul_float");
  expect(all.length).toBeGreaterThan(1);
  expect(all.length, "one page holds them").toBeLessThanOrEqual(100);
  await page.goto("/samples");
  await page.getByLabel(en.kernel.kernel).selectOption("matmul_float");
  await expect(rows(page)).toHaveCount(all.length);
  await page.getByRole("columnheader", { name: en.sample.median }).getByRole("link").click();
  const fastest = Math.min(...all.map(({ time }) => time.median_s));
  await expect(rows(page).first()).toContainText(time(fastest));
  await page.getByRole("columnheader", { name: en.sample.median }).getByRole("link").click();
  const slowest = Math.max(...all.map(({ time }) => time.median_s));
  await expect(rows(page).first()).toContainText(time(slowest));
  await expect(page.getByRole("columnheader", { name: en.sample.median })).toHaveAttribute(
    "aria-sort",
    "descending",
  );

  const local = all.filter(({ workload }) => workload.variant === "local");
  await page.getByLabel(en.list.find).fill("local");
  await expect(rows(page)).toHaveCount(local.length);
  await page.reload();
  await expect(rows(page)).toHaveCount(local.length);
  await page.getByLabel(en.list.find).fill("nothing of the kind");
  await expect(page.getByText(`0 of ${count(all.length)} samples`)).toBeVisible();
});

test("samples whose times are doubtful are listed by what makes them so", async ({
  page,
  request,
}) => {
  const flagged = await get<{ items: Sample[] }>(request, "/v1/samples?flag=outliers&limit=100");
  await page.goto("/samples");
  await page.getByLabel(en.sample.flags).selectOption("outliers");
  await expect(page).toHaveURL(/flag=outliers/);
  await expect(rows(page)).toHaveCount(flagged.items.length);
  for (const { flags } of flagged.items) expect(flags).toContain("outliers");
  const badges = await rows(page).getByText(en.flags.outliers, { exact: false }).count();
  expect(badges).toBe(flagged.items.length);
});

test("the next page of samples is loaded on request", async ({ page, request }) => {
  const first = await get<{ next?: string | null }>(request, "/v1/samples?limit=100");
  expect(first.next, "more than a page of samples").toBeTruthy();
  await page.goto("/samples");
  await expect(rows(page)).toHaveCount(100);
  await page.getByRole("button", { name: en.list.more(100) }).click();
  await expect.poll(() => rows(page).count()).toBeGreaterThan(100);
});

/** The same workload of both variants, on one device. */
function variants(all: Sample[]): [Sample, Sample] {
  for (const a of all.filter(({ workload }) => workload.variant === "local")) {
    const b = all.find(
      (one) =>
        one.device.name === a.device.name &&
        one.workload.variant !== a.workload.variant &&
        JSON.stringify(one.workload.parameters) === JSON.stringify(a.workload.parameters),
    );
    if (b) return [a, b];
  }
  throw new Error("no workload was measured in two variants");
}

test("two samples stand side by side, counter by counter, and can be swapped", async ({
  page,
  request,
}) => {
  const [a, b] = variants(await samples(request, "matmul_float"));
  await page.goto(`/compare?a=${a.id}&b=${b.id}`);
  const both = page.getByRole("region", { name: en.compare.title });
  const comparisonRow = (name: string) => both.getByRole("row", { name });
  await expect(comparisonRow(en.sample.median)).toContainText(time(a.time.median_s));
  await expect(comparisonRow(en.sample.median)).toContainText(
    ratio(b.time.median_s / a.time.median_s),
  );
  const bytes = (one: Sample) => one.readings?.["launch"]?.counters?.["local_bytes"] ?? NaN;
  const launch = page.getByRole("region", { name: "launch" });
  // Some platforms say that a kernel without local memory takes none, others a byte.
  const row = launch.getByRole("row", { name: "local_bytes" });
  await expect(row).toContainText(count(bytes(a)));
  await expect(row.getByRole("cell").first()).toHaveText(
    bytes(b) === 0 ? "0" : ratio(bytes(b) / bytes(a)),
  );
  await expect(launch.getByText(/counters? equal/)).toBeVisible();
  await page.getByRole("link", { name: en.compare.swap }).click();
  await expect(page).toHaveURL(new RegExp(`a=${b.id}&b=${a.id}`));
  await expect(comparisonRow(en.sample.median)).toContainText(
    ratio(a.time.median_s / b.time.median_s),
  );
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 420, height: 900 } });

  test("what one came for is seen without scrolling", async ({ page, request }) => {
    const [a, b] = variants(await samples(request, "matmul_float"));
    await page.goto(`/compare?a=${a.id}&b=${b.id}`);
    const heads = page.getByRole("columnheader", { name: "B ÷ A" }).filter({ visible: true });
    await expect(heads).not.toHaveCount(0);
    for (const head of await heads.all()) {
      const box = await head.boundingBox();
      expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual(420);
    }
  });
});

test("two samples of the listing are compared", async ({ page }) => {
  await page.goto("/samples?kernel=matmul_float");
  const boxes = page.getByRole("checkbox");
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole("link", { name: en.compare.both }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.compare.title);
  await expect(page.getByRole("region", { name: en.compare.title })).toBeVisible();
});

test("Ctrl-K finds kernels, devices, models and samples", async ({ page, request }) => {
  await page.goto("/");
  const box = page.getByRole("combobox", { name: en.search.title });
  const results = page.getByRole("listbox", { name: en.search.results }).getByRole("option");

  const kernel = (await kernels(request))[0]?.name ?? "";
  await page.keyboard.press("Control+k");
  await box.fill(kernel);
  await expect(results.first()).toContainText(kernel);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/kernels/${kernel}$`));
  await expect(box).toHaveCount(0);

  const [device] = await devices(request);
  const name = shortNames(await devices(request)).get(device?.id ?? NaN) ?? "";
  await page.keyboard.press("Control+k");
  await box.fill(name);
  await results.filter({ hasText: en.search.kinds.device }).first().click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

  const [model] = await fitted(request);
  await page.keyboard.press("Control+k");
  await box.fill(model?.specification.method ?? "");
  await expect(results.filter({ hasText: en.search.kinds.model }).first()).toBeVisible();

  const [sample] = await samples(request, "matmul_float");
  await box.fill(sample?.id ?? "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/samples/${sample?.id ?? ""}`));

  await page.keyboard.press("Control+k");
  // The search is loaded when it opens: a key pressed before then is the page's.
  await expect(box).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(box).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the first samples take a few screens", async ({ page }) => {
    await page.goto("/samples");
    await expect(rows(page)).toHaveCount(25);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThan(2500);
  });
});
