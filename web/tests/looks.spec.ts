import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import { least } from "d3-array";
import type { DevicePair } from "../src/api/client";
import { looksRight } from "./axe";
import { devices, kernels, list, richest, samples } from "./server";

type Address = (request: APIRequestContext) => Promise<string> | string;

/** Every page with something on it. */
const ADDRESSES: Record<string, Address> = {
  overview: () => "/",
  models: () => "/models?show=all",
  model: async (request) => `/models/${(await richest(request)).id}`,
  across: () => "/across",
  pair: async (request) => {
    const [pair] = await list<DevicePair>(request, "/v1/pairs");
    return `/across/${pair?.counted_on.toString() ?? ""}/${pair?.device.toString() ?? ""}`;
  },
  "forecast across": async (request) => {
    const [pair] = await list<DevicePair>(request, "/v1/pairs");
    return `/forecast?model=${pair?.models[0]?.model ?? ""}&way=fields`;
  },
  forecast: async (request) => `/forecast?model=${(await richest(request)).id}&way=fields`,
  "forecast, nothing asked": () => "/forecast",
  "forecast of a sample": async (request) =>
    `/forecast?sample=${(await samples(request, "matmul_float"))[0]?.id ?? ""}`,
  offload: () => "/offload",
  kernels: () => "/kernels",
  kernel: async (request) => {
    const kernel = (await kernels(request)).find(({ variants }) => variants.length > 1);
    return `/kernels/${kernel?.name ?? ""}`;
  },
  samples: () => "/samples?kernel=matmul_float",
  compare: async (request) => {
    const [a, b] = await samples(request, "matmul_float");
    return `/compare?a=${a?.id ?? ""}&b=${b?.id ?? ""}`;
  },
  devices: () => "/devices",
  device: async (request) => {
    const device = (await devices(request)).find(({ samples }) => samples > 0);
    return `/devices/${device?.id.toString() ?? ""}`;
  },
  agents: () => "/agents",
  quarantine: () => "/quarantine",
  sample: async (request) => {
    // Axe takes most of a minute to look at a thousand repetitions.
    const few = least(await samples(request, "matmul_float"), ({ time }) => time.n);
    return `/samples/${few?.id ?? ""}`;
  },
};

/** Opens what can be opened, and asks for what can be asked for. */
async function unfold(page: Page) {
  await expect(page.locator("h1").first()).toBeAttached();
  await expect(page.locator("[aria-busy], main > .pulse")).toHaveCount(0);
  const means = page.getByRole("button", { name: "Fill in the means" });
  if ((await means.count()) > 0) {
    const output = page.locator("output");
    // A sample is asked for by itself: its answer would come in between.
    if (page.url().includes("sample=")) await expect(output).toBeVisible();
    await means.click();
    const forecast = page.getByRole("button", { name: "Forecast", exact: true });
    await forecast.click();
    // While it is asking, the button says so.
    await expect(forecast).toBeEnabled();
    await expect(output).toBeVisible();
  }
  // Some are open already where there is little in them; others lie in what is shut.
  const shut = page.locator("details:not([open]) > summary");
  while ((await shut.count()) > 0) await shut.first().click();
}

for (const [name, address] of Object.entries(ADDRESSES)) {
  test(`axe finds nothing, and nothing sticks out: ${name}`, async ({ page, request }) => {
    await page.goto(await address(request));
    await unfold(page);
    await looksRight(page);
  });
}
