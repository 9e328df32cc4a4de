import { readFile } from "node:fs/promises";
import { type APIRequestContext, expect, test } from "@playwright/test";
import type { Sample } from "../src/api/client";
import { count } from "../src/lib/format";
import { devices, samples } from "./server";

/** As an agent makes ids: version 7, so that they sort by time. */
function newId(): string {
  const now = Date.now().toString(16).padStart(12, "0");
  return `${now.slice(0, 8)}-${now.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** Uploads a stored sample once more, as if it had been measured again; its device's name. */
async function measureAgain(request: APIRequestContext): Promise<string> {
  const file = process.env["KERNCAST_TOKEN_FILE"];
  if (file === undefined) throw new Error("KERNCAST_TOKEN_FILE is not set: uploads need a token");
  const token = (await readFile(file, "utf8")).trim();
  const [sample] = await samples(request, "matmul_float");
  if (!sample) throw new Error("the server has no sample of matmul_float");
  const again: Partial<Sample> = {
    ...sample,
    id: newId(),
    measured_at: new Date().toISOString(),
  };
  // What the server adds.
  delete again.received_at;
  delete again.standing;
  delete again.standing_reason;
  delete again.time;
  delete again.token;
  const answer = await request.post("/v1/samples", {
    headers: { authorization: `Bearer ${token}` },
    data: { samples: [again] },
  });
  expect(await answer.json()).toMatchObject({ stored: 1 });
  return sample.device.name;
}

test("a new sample is counted without a reload", async ({ page, request }) => {
  const listening = page.waitForResponse("**/v1/events");
  await page.goto("/devices");
  await listening;
  const name = await measureAgain(request);
  const device = (await devices(request)).find((one) => one.name === name);
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row.getByRole("cell", { name: count(device?.samples ?? NaN) })).toBeVisible();
});
