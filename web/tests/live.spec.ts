import { readFile } from "node:fs/promises";
import { type APIRequestContext, expect, test } from "@playwright/test";
import type { Sample } from "../src/api/client";
import { en } from "../src/i18n/en";
import { devices, samples } from "./server";

/** As an agent makes ids: version 7, so that they sort by time. */
function newId(): string {
  const now = Date.now().toString(16).padStart(12, "0");
  return `${now.slice(0, 8)}-${now.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** Uploads a stored sample once more, as if it had been measured again. */
async function measureAgain(request: APIRequestContext) {
  const file = process.env["KERNCAST_TOKEN_FILE"];
  if (file === undefined) throw new Error("KERNCAST_TOKEN_FILE is not set: uploads need a token");
  const token = (await readFile(file, "utf8")).trim();
  const [sample] = await samples(request, "matrix_mul");
  if (!sample) throw new Error("the server has no sample of matrix_mul");
  const again: Partial<Sample> = {
    ...sample,
    id: newId(),
    measured_at: new Date().toISOString(),
  };
  // What the server adds.
  delete again.received_at;
  delete again.time;
  const answer = await request.post("/v1/samples", {
    headers: { authorization: `Bearer ${token}` },
    data: { samples: [again] },
  });
  expect(await answer.json()).toMatchObject({ stored: 1 });
}

test("a new sample is counted without a reload", async ({ page, request }) => {
  const before = (await devices(request)).reduce((sum, { samples }) => sum + samples, 0);
  const listening = page.waitForResponse("**/v1/events");
  await page.goto("/kernels/matrix_mul");
  await listening;
  const status = page.getByRole("banner").getByRole("status");
  await expect(status).toContainText(en.samples(before));
  await measureAgain(request);
  // While the fits that follow run, the number of fits stands there.
  await expect(status).toContainText(en.samples(before + 1), { timeout: 60_000 });
});
