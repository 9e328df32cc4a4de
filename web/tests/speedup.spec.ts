import { expect, test } from "@playwright/test";
import type { KernelSpeedup, SpeedupModel } from "../src/api/client";
import { en } from "../src/i18n/en";
import { factor, ratio } from "../src/lib/format";
import { byDevice, overall, right, typical } from "../src/kernel/speedups";
import { devices, kernels, list, shortNames } from "./server";

test("a kernel's speedup stands beside its forecast and verdict, which lead to their model", async ({
  page,
  request,
}) => {
  const [kernel] = (await kernels(request)).filter(
    ({ variants }) => variants.includes("local") && variants.includes("global"),
  );
  if (!kernel) throw new Error("no kernel was measured without and with local memory");
  const speedups = await list<KernelSpeedup>(request, `/v1/kernels/${kernel.name}/speedups`);
  const byModel = byDevice(speedups, await list<SpeedupModel>(request, "/v1/speedups"));
  expect(byModel.length, `devices with speedups of ${kernel.name}`).toBeGreaterThan(0);

  await page.goto("/kernels");
  await page.getByRole("searchbox").fill(kernel.name);
  await page.getByRole("link", { name: kernel.name, exact: true }).click();
  const card = page.getByRole("region", { name: en.speedup.title });
  const names = shortNames(await devices(request));
  for (const { model, speedups: own } of byModel) {
    const name = names.get(model.device) ?? "";
    const row = card
      .getByRole("group", { name: en.speedup.forecasts })
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    const verdict = overall(own);
    const { errors } = model;
    const often = errors && right(errors, verdict);
    const cells = [
      ratio(typical(own, (one) => one.measured) ?? NaN),
      ratio(typical(own, (one) => one.forecast) ?? NaN),
      verdict === null ? en.speedup.noVerdict : en.speedup.verdicts[verdict],
      factor(errors?.factor ?? NaN),
      often ? en.speedup.correctOf(often.right, often.given) : "—",
    ];
    for (const text of cells) await expect(row).toContainText(text);
  }
  const hollow = card.locator(".dot.hollow");
  await expect(hollow).toHaveCount(
    byModel.flatMap(({ speedups: own }) => own.filter(({ forecast }) => forecast != null)).length,
  );
  await hollow.first().hover();
  await expect(page.locator(".tooltip")).toContainText(en.speedup.forecast);

  const id = byModel[0]?.model.model ?? "";
  await card.locator(`a[href="/models/${id}"]`).click();
  await expect(page).toHaveURL(new RegExp(`/models/${id}`));
  await expect(page.getByRole("heading", { name: "Predicted ÷ measured" })).toBeVisible();
});
