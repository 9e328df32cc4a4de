import { type APIRequestContext, expect, test } from "@playwright/test";
import type { KernelSource, KernelTime, KnownAnalysis } from "../src/api/client";
import { en } from "../src/i18n/en";
import { ja } from "../src/i18n/ja";
import { declared, drawing } from "../src/lib/tile";
import { fromSource } from "../src/lib/fromSource";
import { devices, get, list, models, shortNames } from "./server";

/** A stencil, which `kerncast localize` rewrites, and one that it refuses. */
const [REWRITTEN, REFUSED] = ["sobel_filter", "spmv_csr"];

/** What is known of the newest sources of a kernel. */
async function analysed(request: APIRequestContext, kernel: string): Promise<KnownAnalysis> {
  const { sources } = await get<{ sources: { hash: string; known: boolean }[] }>(
    request,
    `/v1/kernels/${kernel}`,
  );
  const newest = sources.find(({ known }) => known)?.hash ?? "";
  return get<KnownAnalysis>(request, `/v1/sources/${newest}/analysis`);
}

/** Ids of the devices that have times of a kernel. */
async function measuredOn(request: APIRequestContext, kernel: string): Promise<number[]> {
  const times = await list<KernelTime>(request, `/v1/kernels/${kernel}/times?limit=1000`);
  return [...new Set(times.map(({ device }) => device))];
}

test("a kernel's page shows what was written beside its source, and what lies in local memory", async ({
  page,
  request,
}) => {
  const known = await analysed(request, REWRITTEN);
  const { localized } = known.analysis;
  if (!localized?.source) throw new Error(`${REWRITTEN} is not rewritten`);
  const { files } = await get<KernelSource>(request, `/v1/sources/${known.source_hash}`);
  await page.goto(`/kernels/${REWRITTEN}`);
  const card = page.getByRole("region", { name: en.localized.title });
  await expect(card).toContainText(en.localized.verdicts.rewritten(["image"]));

  // Changed lines are those of the diff; unfolded, both texts are whole.
  const changes = (known.diff ?? "").split("\n").slice(2);
  const names = [en.localized.of(localized.of, localized.file), en.localized.made];
  const texts = [files[localized.file], localized.source];
  for (const [side, sign] of ["-", "+"].entries()) {
    const text = card.getByRole("group", { name: names[side] ?? "", exact: true });
    await expect(text.locator(".changed")).toHaveCount(
      changes.filter((line) => line.startsWith(sign)).length,
    );
    const folds = text.getByRole("button");
    while ((await folds.count()) > 0) await folds.first().click();
    const lines = text.locator(".line:not(.none)");
    await expect(lines).toHaveCount(texts[side]?.replace(/\n$/, "").split("\n").length ?? 0);
    await expect(text).toContainText(
      sign === "+" ? "image_tile[ty][tx] = image[" : "half_gradient",
    );
  }

  // The tile has its halo, and says of each word that a warp asks for in which bank it lies.
  const [placed] = localized.placed ?? [];
  if (!placed) throw new Error("nothing is placed");
  expect(placed.sides.map(({ before, behind }) => [before, behind])).toEqual([
    [1, 1],
    [1, 1],
  ]);
  const figure = card.getByRole("listbox", { name: en.localized.drawing(declared(placed)) });
  const { asked } = drawing(placed);
  const words = figure.getByRole("option");
  await expect(words).toHaveCount(asked.length);
  await words.first().hover();
  const tooltip = page.locator(".tooltip");
  await expect(tooltip).toContainText(en.localized.bank);
  await expect(tooltip).toContainText(asked[0]?.lanes.join(", ") ?? "");
  await expect(card).toContainText(en.localized.zones.halo);

  // One beside the other where there is room, else one under the other.
  const tops = async () =>
    Promise.all(
      names.map(async (name) => {
        const box = await card.getByRole("group", { name, exact: true }).boundingBox();
        return Math.round(box?.y ?? NaN);
      }),
    );
  const [left, right] = await tops();
  expect(left).toBe(right);
  await page.setViewportSize({ width: 420, height: 900 });
  await expect
    .poll(async () => {
      const [above, below] = await tops();
      return (below ?? NaN) > (above ?? NaN);
    })
    .toBe(true);
});

test("a refusal says why, and where", async ({ page, request }) => {
  const known = await analysed(request, REFUSED);
  const refusal = known.analysis.localized?.refusals?.find(({ is_no_gain }) => !is_no_gain);
  if (!refusal) throw new Error(`${REFUSED} is not refused`);
  await page.goto(`/kernels/${REFUSED}`);
  const card = page.getByRole("region", { name: en.localized.title });
  await expect(card).toContainText(en.localized.verdicts.refused());
  const first = card.getByRole("listitem").first();
  await expect(first).toContainText(refusal.reason);
  await expect(first).toContainText(`${refusal.file}:${refusal.line.toString()}:`);
  await expect(card.locator("pre")).toHaveCount(0);
});

test("where nobody has asked, the page says how", async ({ page }) => {
  await page.goto("/kernels/n_body");
  const card = page.getByRole("region", { name: en.localized.title });
  await expect(card).toContainText("kerncast localize n_body --upload");
});

test.describe("in Japanese", () => {
  test.use({ locale: "ja-JP" });

  test("what was written is spoken of in Japanese", async ({ page }) => {
    await page.goto(`/kernels/${REWRITTEN}`);
    const card = page.getByRole("region", { name: ja.localized.title });
    await expect(card).toContainText(ja.localized.verdicts.rewritten(["image"]));
  });

  test("what the server would refuse is not asked, and said in the page's words", async ({
    page,
    request,
  }) => {
    const refused: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status().toString()} ${answer.url()}`);
    });
    const own = (await models(request)).filter((one) => one.specification.provider === "analysis");
    const { analysis } = await analysed(request, REWRITTEN);
    const known = fromSource(own, analysis.variants[0]?.counters);
    const names = shortNames(await devices(request));
    const without = (await measuredOn(request, REWRITTEN)).find((one) => !known.includes(one));
    if (without === undefined) throw new Error("every device has a model of what the source tells");
    await page.goto(`/kernels/${REWRITTEN}?device=${without.toString()}`);
    const name = names.get(without) ?? "";
    const card = page.getByRole("region", { name: ja.localized.title });
    await expect(card).toContainText(ja.localized.noForecast(name));
    await expect(page.getByText(ja.accesses.noForecast(name))).toBeVisible();
    await page.goto("/kernels/n_body");
    await expect(page.getByRole("region", { name: ja.localized.title })).toBeVisible();
    await expect(page.locator("[aria-busy]")).toHaveCount(0);
    expect(refused).toEqual([]);
  });
});
