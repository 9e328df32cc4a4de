/* How a reader comes to a forecast, and what one says beside a measured time. */
import { type APIRequestContext, expect, test } from "@playwright/test";
import type { Forecast, KernelTime, Predictions, Sample } from "../src/api/client";
import { en } from "../src/i18n/en";
import { countersOf } from "../src/lib/samples";
import { isOutside } from "../src/lib/forecast";
import { trust } from "../src/lib/trust";
import { sizes, time } from "../src/lib/format";
import { decide, devices, fitted, measuredAs, samples, shortNames } from "./server";

test("the empty page offers a kernel, an example and a file before any field", async ({ page }) => {
  await page.goto("/forecast");
  await expect(page.getByRole("heading", { name: en.pick.title })).toBeVisible();
  await expect(page.getByLabel(en.forecast.choose)).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await page.getByRole("link", { name: en.pick.example("") }).click();
  await expect(page).toHaveURL(/sample=/);
  await expect(page.locator("output .time")).toBeVisible();
  await expect(page.getByText(en.forecast.countersOf)).toBeVisible();
  await page.goBack();
  const measured = page.getByRole("region", { name: en.pick.title });
  await measured.getByRole("combobox", { name: en.kernel.kernel }).selectOption("matmul_float");
  const workload = measured.getByLabel(en.pick.workload);
  await expect(workload.locator("option").nth(1)).toBeAttached();
  await workload.selectOption({ index: 1 });
  await expect(page.locator("output .time")).toBeVisible();
});

test("the overview asks for a kernel and a device first", async ({ page, request }) => {
  await page.goto("/");
  const box = page.getByRole("region", { name: en.pick.box });
  await box.getByRole("combobox", { name: en.kernel.kernel }).selectOption("matmul_float");
  const workload = box.getByLabel(en.pick.workload);
  await expect(workload.locator("option").nth(1)).toBeAttached();
  const text = (await workload.locator("option").nth(1).textContent()) ?? "";
  const names = shortNames(await devices(request));
  const [name = ""] = [...names.values()].filter((one) => text.startsWith(one));
  await workload.selectOption({ index: 1 });
  await box.getByRole("combobox", { name: en.pick.on, exact: true }).selectOption({ label: name });
  await box.getByRole("button", { name: en.pick.go }).click();
  await expect(page).toHaveURL(/\/forecast\?model=.*&best=1&sample=/);
  await expect(page.locator("output .time")).toBeVisible();
});

/** A sample, and a model whose interval its time lies in. */
async function beside(request: APIRequestContext): Promise<[string, Sample]> {
  const allDevices = await devices(request);
  // Other tests bring times that are wrong on purpose.
  const all = (await samples(request, "matmul_float")).filter(
    ({ standing }) => standing === "sound",
  );
  for (const { id, specification } of await fitted(request)) {
    const device = allDevices.find((one) => one.id === specification.device);
    for (const sample of all.filter((one) => one.device.name === device?.name)) {
      const data = { model: id, counters: countersOf(sample) };
      const answer = await request.post("/v1/predictions", { data });
      if (!answer.ok()) continue;
      const [forecast] = ((await answer.json()) as Predictions).predictions as Forecast[];
      if (!forecast?.interval || forecast.time_s <= 0) continue;
      if (!isOutside(forecast.interval, sample.time.median_s)) return [id, sample];
    }
  }
  throw new Error("no model has a measured time in its interval");
}

test("a measured time outside the interval is an alarm, one in it is none", async ({
  page,
  request,
}) => {
  const [model, inside] = await beside(request);
  const late = 1e6 * inside.time.median_s;
  // Nobody else measures this kernel, and the gate sets nothing aside that an admin accepts.
  const outside = await measuredAs(request, inside, "lab-of-the-start", late, "late_kernel");
  await decide(request, outside, "accept");
  for (const [sample, median, alarms] of [
    [outside, late, 1],
    [inside.id, inside.time.median_s, 0],
  ] as const) {
    await page.goto(`/forecast?model=${model}&sample=${sample}`);
    await expect(page.locator("output")).toContainText(time(median));
    await expect(page.getByText(en.trust.why.measured)).toHaveCount(alarms);
    await expect(page.locator("output strong.none")).toHaveCount(alarms);
    await expect(page.locator("output path.measured.outside")).toHaveCount(alarms);
    await expect(page.locator("output path.measured")).toHaveCount(1);
  }
  await decide(request, outside, "reject");
});

test("speed of light, and what a change makes of the forecast, stand in the answer", async ({
  page,
  request,
}) => {
  const [model, sample] = await beside(request);
  await page.goto(`/forecast?model=${model}&sample=${sample.id}`);
  await expect(page.getByRole("heading", { name: en.light.title })).toBeVisible();
  await page.getByText(/^\d+ counters?$/).click();
  await page.getByRole("button", { name: en.forecast.means }).click();
  await page.getByRole("button", { name: en.forecast.ask, exact: true }).click();
  await expect(page.locator("output")).toContainText(en.change.title);
});

test("a change is a link, is held against what was measured, and can be taken back", async ({
  page,
  request,
}) => {
  const [model, sample] = await beside(request);
  await page.goto(`/forecast?model=${model}&sample=${sample.id}`);
  const change = page.getByRole("region", { name: en.change.title });
  await expect(page.locator("output .time")).toBeVisible();
  await expect(change).toHaveCount(0);
  await page.getByText(/^\d+ counters?$/).click();
  const field = page.locator("form input").first();
  const was = await field.inputValue();
  await field.fill("7");
  await page.getByRole("button", { name: en.forecast.ask, exact: true }).click();
  await expect(change.getByRole("listitem")).toHaveCount(1);
  await expect(change).toContainText("→ 7");
  // Nothing was measured of what is not there.
  await expect(page.locator("output path.measured")).toHaveCount(0);
  await expect(page).toHaveURL(/sample=.*counters=/);
  const text = await page.locator("output .time").textContent();
  await page.goto(page.url());
  await expect(page.locator("output .time")).toHaveText(text ?? "");
  await expect(change).toContainText("→ 7");
  await page.getByText(/^\d+ counters?$/).click();
  await page.getByRole("button", { name: en.change.restore }).click();
  await expect(field).toHaveValue(was);
  await page.getByRole("button", { name: en.forecast.ask, exact: true }).click();
  await expect(change).toHaveCount(0);
  await expect(page).not.toHaveURL(/counters=/);
});

test("trust is one word, and what other models and local memory say stands beside it", async ({
  page,
  request,
}) => {
  const [model, sample] = await beside(request);
  // The page's own answers: a fit that ends meanwhile would change those to another request.
  const answerTo = (path: string) => page.waitForResponse((answer) => answer.url().includes(path));
  const answers = [
    answerTo("/v1/predictions"),
    answerTo(`/v1/kernels/${sample.workload.kernel}/times`),
  ];
  await page.goto(`/forecast?model=${model}&best=1&sample=${sample.id}`);
  const [answer, measured] = await Promise.all(answers);
  const [forecast] = ((await answer?.json()) as Predictions).predictions;
  if (!forecast || "refusal" in forecast)
    throw new Error("the server refuses a sample that it has");
  const { variant, parameters = {} } = sample.workload;
  const ofDevice = ((await measured?.json()) as { items: KernelTime[] }).items.find(
    (time) =>
      time.device === forecast.device &&
      time.variant === variant &&
      sizes(time.parameters) === sizes(parameters),
  );
  const { word } = trust(forecast, ofDevice?.median_s ?? null);
  const output = page.locator("output");
  await expect(output.getByText(en.trust.is(en.trust.words[word]))).toBeVisible();
  const others = page.getByRole("region", { name: en.others.title });
  for (const { time_s, model } of forecast.others) {
    const row = others.getByRole("row").filter({ has: page.locator(`a[href="/models/${model}"]`) });
    await expect(row).toContainText(time(time_s));
  }
  await expect(others.getByText(en.others.disagrees, { exact: true })).toHaveCount(
    forecast.others.filter(({ disagrees }) => disagrees).length,
  );
});
