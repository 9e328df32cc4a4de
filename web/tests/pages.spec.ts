import { expect, test } from "@playwright/test";
import type { KernelTime, KnownAnalysis } from "../src/api/client";
import { en } from "../src/i18n/en";
import { measuredCeilings } from "../src/lib/ceilings";
import { count, percent, time } from "../src/lib/format";
import { devicesFromSource } from "../src/kernel/sourceForecasts";
import { agents, devices, get, kernels, list, models, samples, shortNames } from "./server";

test("the overview has every champion's error, and leads to it", async ({ page, request }) => {
  const champions = (await models(request)).filter(
    (model) => model.champion && model.leave_one_kernel_out != null,
  );
  expect(champions.length).toBeGreaterThan(0);
  await page.goto("/");
  for (const { id, leave_one_kernel_out } of champions) {
    const cell = page.locator(`td a[href="/models/${id}"]`);
    await expect(cell).toContainText(percent(leave_one_kernel_out?.mean_ape ?? NaN));
  }
  const worst = page.locator("dl");
  await expect(worst).toContainText(en.overview.worstDevice);
  await expect(worst).toContainText(en.overview.worstKernel);
  await expect(worst).toContainText(en.overview.worstCounter);
  await page.locator("td a").first().click();
  await expect(page.getByRole("heading", { name: "Predicted ÷ measured" })).toBeVisible();
});

test("the overview explains providers, and folds forecasts from sizes alone", async ({ page }) => {
  await page.goto("/");
  const errors = page.getByRole("region", { name: en.overview.trust });
  await expect(errors.getByRole("columnheader", { name: "oclgrind" })).toBeVisible();
  await expect(errors.getByText(en.providers["oclgrind"] ?? "").first()).toBeVisible();
  await expect(errors.getByRole("columnheader", { name: "launch" })).toBeHidden();
  await errors.getByText(/^launch:/).click();
  await expect(errors.getByRole("columnheader", { name: "launch" })).toBeVisible();
});

test("a device shows its ceilings and its local memory", async ({ page, request }) => {
  const [device] = (await devices(request)).filter(({ samples }) => samples > 0);
  if (!device) throw new Error("no device has samples");
  await page.goto("/devices");
  const name = shortNames(await devices(request)).get(device.id) ?? "";
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText(device.name).first()).toBeVisible();
  const ceilings = page.getByRole("region", { name: "Ceilings" });
  for (const { text } of measuredCeilings(device.ceilings ?? {})) {
    await expect(ceilings).toContainText(text);
  }
  await expect(page.getByRole("heading", { name: "Roofline" })).toBeVisible();
});

test("a kernel is found, and its times lead to a sample", async ({ page, request }) => {
  const [kernel] = (await kernels(request)).filter(({ variants }) => variants.includes("local"));
  if (!kernel) throw new Error("no kernel has a local variant");
  await page.goto("/kernels");
  await page.getByRole("searchbox").fill(kernel.name);
  await expect(page).toHaveURL(new RegExp(`name=${kernel.name}`));
  await page.getByRole("link", { name: kernel.name, exact: true }).click();
  await expect(page.getByText(/On .* local memory|local memory pays off/).first()).toBeVisible();
  const figure = page.getByRole("listbox", { name: "Time by size" });
  await figure.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/samples\//);
  const id = /\/samples\/([^?]+)/.exec(page.url())?.[1];
  const sample = (await samples(request, kernel.name)).find((one) => one.id === id);
  if (!sample) throw new Error(`the server has no sample ${id ?? ""}`);
  await expect(page.getByRole("region", { name: "Times" })).toContainText(
    time(sample.time.median_s),
  );
  const [counter, value] = Object.entries(sample.readings?.["launch"]?.counters ?? {})[0] ?? [];
  const launch = page.getByRole("region", { name: "launch" }).first();
  const search = page.getByRole("searchbox", { name: en.sample.search });
  await search.fill("nothing of the kind");
  await expect(page.getByText(en.sample.noMatch)).toBeVisible();
  await search.fill(counter ?? "");
  await expect(launch.getByRole("row", { name: counter ?? "" }).first()).toContainText(
    count(value ?? NaN),
  );
});

test("a kernel's page says beside its source what each access does", async ({ page }) => {
  await page.goto("/kernels/matmul_float");
  const source = page.getByRole("region", { name: "Source" });
  const load = source.getByRole("row", { name: "a[gid1][k]" });
  await expect(load).toContainText("affine");
  await expect(load).toContainText("2 sectors");
  // The line is marked while its access is looked at.
  await load.hover();
  await expect(source.locator(".marked")).toContainText("a[");
  await source.getByRole("link", { name: "local", exact: true }).click();
  await expect(source.getByRole("row", { name: "tile_a" }).first()).toContainText("passes");
});

test("a source is not asked for a forecast that the server would refuse", async ({
  page,
  request,
}) => {
  const refused: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status().toString()} ${answer.url()}`);
  });
  const kernel = "sobel_filter";
  const { sources } = await get<{ sources: { hash: string; known: boolean }[] }>(
    request,
    `/v1/kernels/${kernel}`,
  );
  const hash = sources.find(({ known }) => known)?.hash ?? "";
  const { analysis } = await get<KnownAnalysis>(request, `/v1/sources/${hash}/analysis`);
  const times = await list<KernelTime>(request, `/v1/kernels/${kernel}/times?limit=1000`);
  const own = (await models(request)).filter((one) => one.specification.provider === "analysis");
  const withSource = devicesFromSource(own, analysis.variants[0]?.counters);
  const without = times.find(({ device }) => !withSource.includes(device))?.device;
  if (without === undefined) throw new Error("every device has a model of what the source tells");
  await page.goto(`/kernels/${kernel}?device=${without.toString()}`);
  const name = shortNames(await devices(request)).get(without) ?? "";
  await expect(page.getByText(en.accesses.noForecast(name))).toBeVisible();
  await expect(page.locator("[aria-busy]")).toHaveCount(0);
  expect(refused).toEqual([]);
});

test("every agent is listed", async ({ page, request }) => {
  await page.goto("/agents");
  for (const { name, version } of await agents(request)) {
    await expect(page.getByRole("article", { name, exact: true })).toContainText(version);
  }
});
