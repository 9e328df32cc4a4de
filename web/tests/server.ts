/** Reads the server's own answers, which the tests compare with the page. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type APIRequestContext, expect } from "@playwright/test";
import type {
  AgentStatus,
  Coefficient,
  DeviceSummary,
  KernelSummary,
  ModelDetail,
  ModelSummary,
  Sample,
  Validation,
} from "../src/api/client";

export async function get<T>(request: APIRequestContext, path: string): Promise<T> {
  const answer = await request.get(path, { headers: { accept: "application/json" } });
  expect(answer.ok(), `${path}: ${answer.status().toString()}`).toBe(true);
  return (await answer.json()) as T;
}

/** Items of a listing's first page. */
export async function list<T>(request: APIRequestContext, path: string): Promise<T[]> {
  return (await get<{ items: T[] }>(request, path)).items;
}

/** The models that forecast times from devices’ own counters. */
export async function models(request: APIRequestContext): Promise<ModelSummary[]> {
  const page = await get<{ items: ModelSummary[] }>(request, "/v1/models?limit=1000");
  return page.items.filter(
    ({ specification }) =>
      specification.counted_on == null && (specification.response ?? "time") === "time",
  );
}

/** Fitted and validated models; the tests need one at least. */
export async function fitted(request: APIRequestContext): Promise<ModelSummary[]> {
  const all = await models(request);
  const good = all.filter((model) => model.refusal == null && model.leave_one_kernel_out != null);
  expect(good.length, "fitted and validated models on the server").toBeGreaterThan(0);
  return good;
}

/** The model by the paper’s method with the most counters, then samples, and its validation. */
export async function richest(request: APIRequestContext) {
  const counters = (model: ModelSummary) => model.specification.counters?.length ?? 0;
  const ofPaper = (await fitted(request)).filter(
    ({ specification }) => specification.method === "ols",
  );
  const [model] = ofPaper.sort((a, b) => counters(b) - counters(a) || b.samples - a.samples);
  const id = model?.id ?? "";
  const detail = await get<ModelDetail>(request, `/v1/models/${id}`);
  const validation = await get<Validation>(request, `/v1/models/${id}/validation`);
  const coefficients: Coefficient[] = detail.fit?.coefficients ?? [];
  expect(coefficients.length, "counters in the model's fit").toBeGreaterThan(0);
  return { id, detail, validation, coefficients };
}

export async function devices(request: APIRequestContext): Promise<DeviceSummary[]> {
  return (await get<{ items: DeviceSummary[] }>(request, "/v1/devices?limit=1000")).items;
}

export async function kernels(request: APIRequestContext): Promise<KernelSummary[]> {
  return (await get<{ items: KernelSummary[] }>(request, "/v1/kernels?limit=1000")).items;
}

export async function agents(request: APIRequestContext): Promise<AgentStatus[]> {
  return (await get<{ items: AgentStatus[] }>(request, "/v1/agents?limit=1000")).items;
}

export async function samples(request: APIRequestContext, kernel: string): Promise<Sample[]> {
  return (await get<{ items: Sample[] }>(request, `/v1/samples?kernel=${kernel}&limit=1000`)).items;
}

export async function admins(): Promise<string> {
  const file = process.env["KERNCAST_TOKEN_FILE"];
  if (file === undefined) throw new Error("KERNCAST_TOKEN_FILE is not set: an admin's token");
  return (await readFile(file, "utf8")).trim();
}

/** Uploads the sample as another agent's, with that time, and of another kernel where one is named; its new id. */
export async function measuredAs(
  request: APIRequestContext,
  { device, workload, readings, provenance }: Sample,
  agent: string,
  seconds: number,
  kernel = workload.kernel,
): Promise<string> {
  const id = randomUUID();
  const sample = {
    id,
    measured_at: new Date().toISOString(),
    agent: { name: agent, version: "0.3.0" },
    device,
    workload: { ...workload, kernel },
    readings,
    provenance,
    times: { repetitions_s: [seconds, seconds, 1.1 * seconds] },
  };
  const sent = await request.post("/v1/samples", {
    headers: { authorization: `Bearer ${await admins()}` },
    data: { samples: [sample] },
  });
  expect(await sent.json()).toMatchObject({ stored: 1 });
  return id;
}

/** Accepts or rejects a sample as an admin. */
export async function decide(
  request: APIRequestContext,
  id: string,
  decision: "accept" | "reject",
) {
  const answer = await request.post("/v1/decisions", {
    headers: { authorization: `Bearer ${await admins()}` },
    data: { decision, samples: { ids: [id] }, reason: "the browser’s test" },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** The short names of devices, by id. */
export const shortNames = (devices: DeviceSummary[]) =>
  new Map(devices.map(({ id, short_name }) => [id, short_name]));
