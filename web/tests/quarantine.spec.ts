/* A wrong sample, from the gate's verdict to an admin's word and back. */
import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import type { Sample } from "../src/api/client";
import { en } from "../src/i18n/en";
import { looksRight } from "./axe";
import { admins, get, measuredAs, samples } from "./server";

/** The tests take turns: each finds the sample as the one before has left it. */
test.describe.configure({ mode: "serial" });

const AGENT = "lab-of-the-browser";
const quarantined = async (request: APIRequestContext) => {
  const listed = await get<{ items: Sample[] }>(
    request,
    "/v1/samples?standing=quarantined&limit=1000",
  );
  return listed.items.filter(({ agent }) => agent.name === AGENT);
};

async function give(page: Page) {
  await page.goto("/access");
  await page.getByLabel(en.access.token, { exact: true }).fill(await admins());
  await page.getByRole("button", { name: en.access.use }).click();
  await expect(page.getByRole("region", { name: en.access.tokens })).toBeVisible();
}

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext(baseURL === undefined ? {} : { baseURL });
  const [sample] = await samples(request, "matmul_float");
  if (sample === undefined) throw new Error("the server has no sample of matmul_float");
  await measuredAs(request, sample, AGENT, 1e-9);
  await expect
    .poll(async () => (await quarantined(request)).length, { timeout: 120_000 })
    .toBeGreaterThan(0);
  await request.dispose();
});

test("attention leads to it, and readers see why but decide nothing", async ({ page }) => {
  await page.goto("/");
  const attention = page.getByRole("region", { name: en.overview.attention });
  await attention.getByRole("link", { name: en.attention.samples_quarantined }).first().click();
  const section = page.getByRole("region", { name: en.quarantine.quarantined });
  await expect(section).toContainText(AGENT);
  await expect(section.getByRole("row").nth(1)).toContainText("matmul_float");
  await expect(page.getByText(en.quarantine.admins)).toBeVisible();
  await expect(page.getByRole("button", { name: en.quarantine.reject })).toHaveCount(0);
});

test("its own page says how it stands", async ({ page, request }) => {
  const [sample] = await quarantined(request);
  await page.goto(`/samples/${sample?.id ?? ""}`);
  const remark = page.locator(".remark").first();
  await expect(remark).toContainText(en.standings.quarantined);
  await expect(remark).toContainText(sample?.standing_reason ?? "no reason");
});

test("axe finds nothing on what an admin sees, and nothing sticks out", async ({ page }) => {
  await give(page);
  for (const address of ["/quarantine", "/access"]) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(address);
    await expect(page.locator("[aria-busy], main > .pulse")).toHaveCount(0);
    for (const more of await page.locator("summary").all()) await more.click();
    await looksRight(page);
  }
});

test("an admin rejects it, takes that back, and the log has both", async ({ page, request }) => {
  const n = (await quarantined(request)).length;
  await give(page);
  await page.goto("/quarantine");
  const group = page.locator(".group").filter({ hasText: AGENT });
  await group.getByRole("button", { name: en.quarantine.reject }).click();
  await expect(group.getByRole("alert")).toContainText("why");
  await group.getByRole("textbox").fill("the browser’s test");
  await group.getByRole("button", { name: en.quarantine.reject }).click();
  await expect(group).toHaveCount(0);
  const decided = page.getByRole("region", { name: en.quarantine.decided });
  const row = decided.getByRole("row").filter({ hasText: AGENT }).first();
  await expect(row).toContainText(en.standings.rejected);
  await expect(row).toContainText("the browser’s test");

  const undo = page.getByRole("region", { name: en.quarantine.undo });
  await undo.getByText(en.quarantine.choose).click();
  await undo.getByLabel(en.quarantine.what).selectOption("restore");
  await undo.getByLabel(en.sample.agent).fill(AGENT);
  await undo.getByLabel(en.quarantine.reason).fill("it was only a test");
  await undo.getByRole("button", { name: en.quarantine.dryRun }).click();
  await expect(undo.getByText(en.quarantine.result(n, true))).toBeVisible();
  await undo.getByRole("button", { name: en.quarantine.doIt(en.quarantine.restore) }).click();
  await expect(undo.getByText(en.quarantine.result(n, false))).toBeVisible();
  // The gate judges it again, and says the same.
  await expect(group).toBeVisible({ timeout: 60_000 });
  await group.getByRole("textbox").fill("for good");
  await group.getByRole("button", { name: en.quarantine.reject }).click();
  await expect(group).toHaveCount(0);

  await page.goto("/access");
  const log = page.getByRole("region", { name: en.audit.title });
  await expect(log.getByRole("row").nth(1)).toContainText("for good");
  await expect(log.getByRole("row").nth(2)).toContainText(en.audit.actions.restore_samples);
  await expect(log.getByRole("row").nth(2)).toContainText(AGENT);
});
