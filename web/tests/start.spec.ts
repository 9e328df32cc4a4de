/* How a reader comes to a forecast, and what one says beside a measured time. */
import { type APIRequestContext, expect, test } from "@playwright/test";
import type { Forecast, Predictions, Sample } from "../src/api/client";
import { en } from "../src/i18n/en";
import { shortNames } from "../src/lib/devices";
import { countersOf } from "../src/lib/samples";
import { isOutside } from "../src/lib/forecast";
import { time } from "../src/lib/format";
import { devices, fitted, samples } from "./server";

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

/** A sample, and a model that puts its time in the interval, or outside. */
async function beside(request: APIRequestContext, outside: boolean): Promise<[string, Sample]> {
  const all = await samples(request, "matmul_float");
  const names = await devices(request);
  for (const { id, specification } of await fitted(request)) {
    const device = names.find((one) => one.id === specification.device);
    for (const sample of all.filter((one) => one.device.name === device?.name)) {
      const data = { model: id, counters: countersOf(sample) };
      const answer = await request.post("/v1/predictions", { data });
      if (!answer.ok()) continue;
      const [said] = ((await answer.json()) as Predictions).predictions as Forecast[];
      if (!said?.interval || said.time_s <= 0) continue;
      if (isOutside(said.interval, sample.time.median_s) === outside) return [id, sample];
    }
  }
  throw new Error(`no model has a measured time ${outside ? "outside" : "in"} its interval`);
}

test("a measured time outside the interval is an alarm, one in it is none", async ({
  page,
  request,
}) => {
  for (const outside of [true, false]) {
    const [model, sample] = await beside(request, outside);
    await page.goto(`/forecast?model=${model}&sample=${sample.id}`);
    await expect(page.locator("output")).toContainText(time(sample.time.median_s));
    await expect(page.getByText(en.trust.why.measured)).toHaveCount(outside ? 1 : 0);
    await expect(page.locator("output strong.none")).toHaveCount(outside ? 1 : 0);
    await expect(page.locator("output path.measured.outside")).toHaveCount(outside ? 1 : 0);
    await expect(page.locator("output path.measured")).toHaveCount(1);
  }
});

test("speed of light, and what a change makes of the forecast, stand in the answer", async ({
  page,
  request,
}) => {
  const [model, sample] = await beside(request, false);
  await page.goto(`/forecast?model=${model}&sample=${sample.id}`);
  await expect(page.getByRole("heading", { name: en.light.title })).toBeVisible();
  await page.getByText(/^\d+ counters$/).click();
  await page.getByRole("button", { name: en.forecast.means }).click();
  await page.getByRole("button", { name: en.forecast.ask, exact: true }).click();
  await expect(page.locator("output")).toContainText(en.change.title);
});
