import { type APIResponse, expect, type Page, test } from "@playwright/test";
import type { Coefficient, Forecast, ModelDetail, Predictions, Problem } from "../src/api/client";
import { en } from "../src/i18n/en";
import { split } from "../src/lib/forecast";
import { percent, time } from "../src/lib/format";
import { isShownElsewhere, serverWarnings } from "../src/lib/warnings";
import { fitted, get, richest } from "./server";

/** Within what the model has seen, and with few digits: what a person would type. */
function typedFor({ min, max }: Coefficient): number {
  return Math.round((min + max) / 2);
}

function field(page: Page, counter: string) {
  const { provider, name } = split(counter);
  return page.getByRole("group", { name: provider, exact: true }).getByLabel(name, { exact: true });
}

/** On a machine under load the page may still move under the first click. */
async function fillMeans(page: Page) {
  const fields = page.locator("form details input");
  await expect(async () => {
    await page.getByRole("button", { name: "Fill in the means" }).click();
    const values = await fields.evaluateAll((all) =>
      all.map((it) => (it as HTMLInputElement).value),
    );
    expect(values.some((value) => value !== "")).toBe(true);
  }).toPass();
}

/** The only prediction of an answer. */
async function only(answer: APIResponse): Promise<Forecast> {
  const { predictions } = (await answer.json()) as Predictions;
  expect(predictions).toHaveLength(1);
  return predictions[0] as Forecast;
}

const ask = (page: Page) => page.getByRole("button", { name: "Forecast", exact: true }).click();

test("typed counters get the server's forecast, and the curl command the same", async ({
  page,
  request,
}) => {
  const { id, coefficients } = await richest(request);
  await page.goto(`/forecast?model=${id}&way=fields`);
  const counters: Record<string, Record<string, number>> = {};
  for (const coefficient of coefficients) {
    const value = typedFor(coefficient);
    await field(page, coefficient.counter).fill(value.toString());
    const { provider, name } = split(coefficient.counter);
    (counters[provider] ??= {})[name] = value;
  }
  await ask(page);
  const answer = await request.post("/v1/predictions", { data: { model: id, counters } });
  const prediction = await only(answer);
  const output = page.locator("output");
  await expect(output).toContainText(time(prediction.time_s));
  for (const one of serverWarnings(prediction)) {
    if (!isShownElsewhere(one)) await expect(output).toContainText(one.text);
  }
  const error = prediction.leave_one_kernel_out_mean_ape;
  if (error != null) await expect(output).toContainText(percent(error));

  await page.getByText(en.forecast.curl).click();
  const curl = (await page.getByRole("region", { name: "curl command" }).textContent()) ?? "";
  const data: unknown = JSON.parse(/-d '(.*)'/s.exec(curl)?.[1] ?? "");
  const again = await request.post("/v1/predictions", { data });
  expect((await only(again)).time_s).toBe(prediction.time_s);

  // The address is a link that does it again.
  await page.goto(page.url());
  await expect(output).toContainText(time(prediction.time_s));
});

test("the time is shared out among counters, by the server’s numbers, and has its interval", async ({
  page,
  request,
}) => {
  // What only geometry or source tell of so few kernels has no interval, and the page says so in words of its own.
  const champion = (await fitted(request)).find(
    ({ champion, specification }) => champion && specification.provider === "oclgrind",
  );
  if (!champion) throw new Error("no champion was fitted");
  const detail = await get<ModelDetail>(request, `/v1/models/${champion.id}`);
  const counters: Record<string, Record<string, number>> = {};
  for (const { counter, max } of detail.fit?.coefficients ?? []) {
    const { provider, name } = split(counter);
    (counters[provider] ??= {})[name] = Math.round(max);
  }
  const data = { model: champion.id, counters };
  const prediction = await only(await request.post("/v1/predictions", { data }));
  const search = new URLSearchParams({ model: champion.id, counters: JSON.stringify(counters) });
  await page.goto(`/forecast?${search.toString()}`);
  const parts = page.locator("output table");
  const [largest] = prediction.explanation.shares;
  await expect(parts.getByRole("row", { name: split(largest?.counter ?? "").name })).toContainText(
    time(largest?.time_s ?? NaN),
  );
  await expect(parts.getByRole("row", { name: new RegExp(`^${en.shares.sum}`) })).toContainText(
    time(prediction.time_s),
  );
  const { interval } = prediction;
  if (interval) await expect(page.locator("output")).toContainText(time(interval.high_s));
  else await expect(page.locator("output")).toContainText(prediction.no_interval ?? "");
});

test("every method’s model can be asked", async ({ page, request }) => {
  for (const { id, specification } of await fitted(request)) {
    if (specification.variant != null) continue;
    await page.goto(`/forecast?model=${id}&way=fields`);
    await fillMeans(page);
    await ask(page);
    await expect(page.locator("output a").first()).toContainText(specification.method ?? "");
  }
});

test("an empty field is a missing counter, and the answer names it", async ({ page, request }) => {
  const { id, coefficients } = await richest(request);
  expect(coefficients.length, "counters in the fit").toBeGreaterThan(1);
  const first = coefficients[0]?.counter ?? "";
  await page.goto(`/forecast?model=${id}&way=fields`);
  await fillMeans(page);
  await field(page, first).fill("");
  await ask(page);
  await expect(page.locator("output p").filter({ hasText: "Missing, and" })).toContainText(first);
});

test("no counter at all is a problem, in the server's words", async ({ page, request }) => {
  const { id } = await richest(request);
  await page.goto(`/forecast?model=${id}&way=fields`);
  await ask(page);
  const answer = await request.post("/v1/predictions", { data: { model: id, counters: {} } });
  const problem = (await answer.json()) as Problem;
  await expect(page.getByRole("alert")).toContainText(problem.detail ?? problem.title);
});

test("a bad value is complained about at its field, in the server's words", async ({
  page,
  request,
}) => {
  const { id, coefficients } = await richest(request);
  const last = coefficients.at(-1)?.counter ?? "";
  await page.goto(`/forecast?model=${id}&way=fields`);
  await fillMeans(page);
  await field(page, last).fill("12x");
  await ask(page);
  await expect(field(page, last)).toHaveAttribute("aria-invalid", "true");
  await expect(field(page, last)).toBeFocused();
  await expect(field(page, last)).toHaveAccessibleDescription(/expected .*12x/);
  await expect(page.locator("output")).toHaveCount(0);
  await field(page, last).fill("12");
  await ask(page);
  await expect(page.locator("output")).toBeVisible();
});

test("JSON can be pasted; what the model does not know is named", async ({ page, request }) => {
  const { id, coefficients } = await richest(request);
  const { provider, name } = split(coefficients[0]?.counter ?? "");
  await page.goto(`/forecast?model=${id}&way=fields`);
  await page.getByRole("button", { name: "JSON" }).click();
  const text = page.getByLabel("Counters as JSON, by provider and name");
  await text.fill('{"nobody": ');
  await expect(text).toHaveAttribute("aria-invalid", "true");
  await text.fill(JSON.stringify({ [provider]: { [name]: 1000 }, nobody: { unheard_of: 7 } }));
  await ask(page);
  await expect(page.locator("output details").filter({ hasText: "not used" })).toContainText(
    "nobody:unheard_of",
  );
  await text.fill('{"nobody": {"unheard_of": "much"}}');
  await ask(page);
  await expect(page.getByRole("alert")).toContainText("/counters/nobody/unheard_of");
});

/** A tidy table of one launch, with the means of the model's counters. */
function table(coefficients: Coefficient[], time_s: string): string {
  const columns = coefficients.map(({ counter }) => counter);
  const means = coefficients.map(({ mean }) => mean.toString());
  const header = ["device", "kernel", "variant", "time_s", ...columns].join(",");
  return `${header}\n${["", "mine", "local", time_s, ...means].join(",")}\n`;
}

test("a file’s launches are forecast beside the times that it has", async ({ page, request }) => {
  const { id, coefficients, detail } = await richest(request);
  const atMeans = detail.fit?.intercept ?? NaN;
  await page.goto(`/forecast?model=${id}&way=fields`);
  await page.getByRole("button", { name: "File" }).click();
  const input = page.getByLabel("Choose a profiler’s output");
  const file = { name: "mine.csv", mimeType: "text/csv" };
  await input.setInputFiles({ ...file, buffer: Buffer.from(table(coefficients, "0.5")) });
  const row = page.locator("output").getByRole("row", { name: /^mine local \(line 2\)/ });
  await expect(row).toContainText(time(atMeans));
  await expect(row).toContainText(time(0.5));

  await input.setInputFiles({ ...file, buffer: Buffer.from(table(coefficients, "soon")) });
  await expect(page.getByRole("alert")).toContainText("line 2, column time_s is soon");
  await expect(page.locator("output")).toHaveCount(0);
});

test("a file can be dropped", async ({ page, request }) => {
  const { id, coefficients } = await richest(request);
  await page.goto(`/forecast?model=${id}&way=fields`);
  await page.getByRole("button", { name: "File" }).click();
  const transfer = await page.evaluateHandle(
    (text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "dropped.csv"));
      return transfer;
    },
    table(coefficients, ""),
  );
  const target = page.getByRole("group", { name: "A profiler’s file" });
  await target.dispatchEvent("drop", { dataTransfer: transfer });
  await expect(page.locator("output")).toContainText("1 launch in dropped.csv");
});
