import { expect, type Page, test } from "@playwright/test";
import type { Coefficient, Prediction, Problem } from "../src/api/client";
import { split } from "../src/lib/forecast";
import { percent, time } from "../src/lib/format";
import { richest } from "./server";

/** Within what the model has seen, and with few digits: what a person would type. */
function typedFor({ min, max }: Coefficient): number {
  return Math.round((min + max) / 2);
}

function field(page: Page, counter: string) {
  const { provider, name } = split(counter);
  return page.getByRole("group", { name: provider, exact: true }).getByLabel(name, { exact: true });
}

const ask = (page: Page) => page.getByRole("button", { name: "Forecast", exact: true }).click();

test("typed counters get the server's forecast, and the curl command the same", async ({
  page,
  request,
}) => {
  const { id, coefficients } = await richest(request);
  await page.goto(`/?model=${id}`);
  const counters: Record<string, Record<string, number>> = {};
  for (const coefficient of coefficients) {
    const value = typedFor(coefficient);
    await field(page, coefficient.counter).fill(value.toString());
    const { provider, name } = split(coefficient.counter);
    (counters[provider] ??= {})[name] = value;
  }
  await ask(page);
  const answer = await request.post("/v1/predictions", { data: { model: id, counters } });
  const prediction = (await answer.json()) as Prediction;
  const output = page.locator("output");
  await expect(output).toContainText(time(prediction.time_s));
  for (const warning of prediction.warnings) await expect(output).toContainText(warning);
  const error = prediction.leave_one_kernel_out_mean_ape;
  if (error != null) await expect(output).toContainText(percent(error));

  await page.getByText("The same by curl").click();
  const curl = (await page.getByRole("region", { name: "curl command" }).textContent()) ?? "";
  const data: unknown = JSON.parse(/-d '(.*)'/s.exec(curl)?.[1] ?? "");
  const again = await request.post("/v1/predictions", { data });
  expect(((await again.json()) as Prediction).time_s).toBe(prediction.time_s);
});

test("an empty field is a missing counter, and the answer names it", async ({ page, request }) => {
  const { id, coefficients } = await richest(request);
  expect(coefficients.length, "counters in the fit").toBeGreaterThan(1);
  const first = coefficients[0]?.counter ?? "";
  await page.goto(`/?model=${id}`);
  await page.getByRole("button", { name: "Fill in the means" }).click();
  await field(page, first).fill("");
  await ask(page);
  await expect(page.locator("output").getByText("Missing, so")).toContainText(first);
});

test("no counter at all is a problem, in the server's words", async ({ page, request }) => {
  const { id } = await richest(request);
  await page.goto(`/?model=${id}`);
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
  await page.goto(`/?model=${id}`);
  await page.getByRole("button", { name: "Fill in the means" }).click();
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
  await page.goto(`/?model=${id}`);
  await page.getByRole("button", { name: "JSON" }).click();
  const text = page.getByLabel("Counters as JSON, by provider and name");
  await text.fill('{"nobody": ');
  await expect(text).toHaveAttribute("aria-invalid", "true");
  await text.fill(JSON.stringify({ [provider]: { [name]: 1000 }, nobody: { unheard_of: 7 } }));
  await ask(page);
  await expect(page.locator("output").getByText("Not used")).toContainText("nobody:unheard_of");
  await text.fill('{"nobody": {"unheard_of": "much"}}');
  await ask(page);
  await expect(page.getByRole("alert")).toContainText("/counters/nobody/unheard_of");
});
