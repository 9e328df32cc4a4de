/* From one device to another. */
import { expect, type Page, test } from "@playwright/test";
import { ofSource, route } from "../src/across/pairs";
import type {
  DevicePair,
  Forecast,
  ModelDetail,
  ModelSummary,
  Predictions,
  Sample,
} from "../src/api/client";
import { en } from "../src/i18n/en";
import { fitCounters } from "../src/lib/coefficients";
import { split } from "../src/lib/forecast";
import { percent, time } from "../src/lib/format";
import { devices, get, list, samples, shortNames } from "./server";

type Request = Parameters<typeof devices>[0];

/** A pair, and a model of it that knows the time on the device counted on. */
async function timed(request: Request) {
  const pairs = await list<DevicePair>(request, "/v1/pairs");
  for (const pair of pairs) {
    const model = pair.models.find(({ needs_time, refusal }) => needs_time && refusal == null);
    if (model) {
      return { pair, model, detail: await get<ModelDetail>(request, `/v1/models/${model.model}`) };
    }
  }
  throw new Error("the server has no pair of devices with a timed model");
}

/** A sample of the device counted on that the pair's provider has counted. */
async function counted(request: Request, { counted_on, provider }: DevicePair): Promise<Sample> {
  const device = (await devices(request)).find(({ id }) => id === counted_on);
  const sample = (await samples(request, "matmul_float")).find(
    (one) => one.device.name === device?.name && one.readings?.[provider]?.counters,
  );
  if (!sample) throw new Error("the device counted on has no counted sample of matmul_float");
  return sample;
}

const ask = (page: Page) => page.getByRole("button", { name: "Forecast", exact: true }).click();

test("every pair has its error beside the baseline’s, and a page of all methods", async ({
  page,
  request,
}) => {
  const pairs = await list<DevicePair>(request, "/v1/pairs");
  expect(pairs.length).toBeGreaterThan(0);
  const models = await list<ModelSummary>(request, "/v1/models?own=true&limit=1000");
  for (const provider of new Set(pairs.map((pair) => pair.provider))) {
    await page.goto(`/across?provider=${provider}`);
    for (const pair of pairs.filter((one) => one.provider === provider)) {
      const path = `/across/${pair.counted_on.toString()}/${pair.device.toString()}`;
      const off = route(pair, ofSource(models, pair.device))?.errors.mean_ape;
      await expect(page.locator(`td a[href^="${path}?"]`)).toHaveText(
        off === undefined ? "—" : percent(off),
      );
    }
  }
  await page.locator("td a").first().click();
  const rows = page.getByRole("table").locator("tbody tr");
  await expect(rows.first().getByRole("link")).toBeVisible();
  await rows.first().getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(" forecast from ");
});

test("counters and time there get the server’s forecast here, by the form, the link and curl", async ({
  page,
  request,
}) => {
  const { pair, model, detail } = await timed(request);
  const countedOn = shortNames(await devices(request)).get(pair.counted_on);
  await page.goto(`/forecast?model=${model.model}&way=fields`);
  await expect(page.getByLabel(en.forecast.countedOn)).toHaveValue(pair.counted_on.toString());
  const counters: Record<string, Record<string, number>> = {};
  if (!detail.fit) throw new Error("the pair's model has no fit");
  for (const { counter, seen } of fitCounters(detail.fit)) {
    const { provider, name } = split(counter);
    if (provider === "") continue;
    const value = Math.round(seen?.max ?? 1);
    const group = page.getByRole("group", { name: provider, exact: true });
    await group.getByLabel(name, { exact: true }).fill(value.toString());
    (counters[provider] ??= {})[name] = value;
  }
  const field = page.getByLabel(en.forecast.timeOn(countedOn ?? ""));
  await field.fill("soon");
  await ask(page);
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill("0.02");
  await ask(page);

  const data = { model: model.model, counted_on: pair.counted_on, time_s: 0.02, counters };
  const answer = await request.post("/v1/predictions", { data });
  const [only] = ((await answer.json()) as Predictions).predictions as Forecast[];
  const output = page.locator("output");
  await expect(output).toContainText(time(only?.time_s ?? NaN));

  await page.getByText(en.forecast.curl).click();
  const curl = await page.getByRole("region", { name: en.forecast.curlLabel }).textContent();
  expect(JSON.parse(/-d '(.*)'/s.exec(curl ?? "")?.[1] ?? "")).toEqual(data);
  await page.goto(page.url());
  await expect(output).toContainText(time(only?.time_s ?? NaN));
});

test("a sample leads to its forecasts, here and elsewhere, beside what was measured", async ({
  page,
  request,
}) => {
  const { pair } = await timed(request);
  const sample = await counted(request, pair);
  const countedOn = shortNames(await devices(request)).get(pair.counted_on) ?? "";
  await page.goto(`/samples/${sample.id}`);
  await page.getByRole("link", { name: en.sample.forecast }).click();
  await expect(page.locator("output")).toContainText(
    `${en.ratio.measured} ${time(sample.time.median_s)}`,
  );
  await page.goBack();
  await page.getByRole("link", { name: en.sample.elsewhere }).click();
  await expect(page.locator("output article")).toHaveCount(1);
  await expect(page.getByLabel(en.forecast.timeOn(countedOn))).toHaveValue(
    sample.time.median_s.toString(),
  );
  await page.getByLabel(en.forecast.countedOn).selectOption("");
  await expect(page).not.toHaveURL(new RegExp(pair.models.map(({ model }) => model).join("|")));
  await expect(page.getByLabel(en.forecast.timeOn(countedOn))).toHaveCount(0);
});

test("a sample that does not exist gets the server’s words and a way on", async ({ page }) => {
  await page.goto("/samples/00000000-0000-7000-8000-000000000000");
  await expect(page.getByRole("alert")).toContainText("there is no sample");
  await page.getByRole("alert").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.nav.pages.samples);
});
