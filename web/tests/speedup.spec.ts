import { expect, test } from "@playwright/test";
import type { KernelSpeedup, SpeedupModels } from "../src/api/client";
import { en } from "../src/i18n/en";
import { factor, percent, ratio } from "../src/lib/format";
import { always, byDevice, typical } from "../src/lib/speedups";
import { devices, kernels, list, shortNames } from "./server";

test("a kernel's speedup stands beside its forecast, which leads to its model", async ({
  page,
  request,
}) => {
  const [kernel] = (await kernels(request)).filter(
    ({ variants }) => variants.includes("local") && variants.includes("global"),
  );
  if (!kernel) throw new Error("no kernel was measured without and with local memory");
  const speedups = await list<KernelSpeedup>(request, `/v1/kernels/${kernel.name}/speedups`);
  const chosen = byDevice(speedups, await list<SpeedupModels>(request, "/v1/speedups"));
  expect(chosen.length, `devices with speedups of ${kernel.name}`).toBeGreaterThan(0);

  await page.goto("/kernels");
  await page.getByRole("searchbox").fill(kernel.name);
  await page.getByRole("link", { name: kernel.name, exact: true }).click();
  const card = page.getByRole("region", { name: en.speedup.title });
  const known = shortNames(await devices(request));
  for (const { device, model, speedups: own } of chosen) {
    const name = known.get(device) ?? "";
    const row = card
      .getByRole("group", { name: en.speedup.forecasts })
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    await expect(row).toContainText(ratio(typical(own, (one) => one.measured) ?? NaN));
    await expect(row).toContainText(ratio(typical(own, (one) => one.forecast) ?? NaN));
    await expect(row).toContainText(factor(model.leave_one_kernel_out?.factor ?? NaN));
    await expect(row).toContainText(percent(model.signs?.right ?? NaN));
    await expect(row).toContainText(percent(always(model) ?? NaN));
  }
  const hollow = card.locator(".dot.hollow");
  await expect(hollow).toHaveCount(
    chosen.flatMap(({ speedups: own }) => own.filter(({ forecast }) => forecast != null)).length,
  );
  await hollow.first().hover();
  await expect(page.locator(".tooltip")).toContainText(en.speedup.forecast);

  const id = chosen[0]?.model.model ?? "";
  await card.locator(`a[href="/models/${id}"]`).click();
  await expect(page).toHaveURL(new RegExp(`/models/${id}`));
  await expect(page.getByRole("heading", { name: "Predicted ÷ measured" })).toBeVisible();
});
