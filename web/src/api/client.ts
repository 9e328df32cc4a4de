/** The server, through the client that openapi.json generates. */
import createClient from "openapi-fetch";
import { authorization } from "./token";
import type { components, paths } from "./schema";

type Schemas = components["schemas"];
export type ModelSummary = Schemas["ModelSummary"];
export type ModelDetail = Schemas["ModelDetail"];
export type Fit = Schemas["Fit"];
export type Coefficient = Schemas["Coefficient"];
export type Errors = Schemas["Errors"];
export type Validation = Schemas["Validation"];
export type KernelErrors = Schemas["KernelErrors"];
export type HoldOut = Schemas["HoldOut"];
export type HeldOut = Schemas["HeldOut"];
export type Ceilings = Schemas["Ceilings"];
export type MeasuredCeilings = Schemas["MeasuredCeilings"];
export type Coverage = Schemas["Coverage"];
export type Device = Schemas["Device"];
export type DeviceSummary = Schemas["DeviceSummary"];
export type FittingJob = Schemas["FittingJob"];
export type Attention = Schemas["Attention"];
export type Because = Schemas["Because"];
export type Doubt = Schemas["Doubt"];
export type FitRefusal = Schemas["FitRefusal"];
export type HeldBecause = Schemas["HeldBecause"];
export type Uploads = Schemas["Uploads"];
export type ChampionOverview = Schemas["ChampionOverview"];
export type Event = Schemas["Event"];
export type KernelSample = Schemas["KernelSample"];
export type KernelTime = Schemas["KernelTime"];
export type RooflinePoint = Schemas["RooflinePoint"];
export type KernelAnalysis = Schemas["KernelAnalysis"];
export type KnownAnalysis = Schemas["KnownAnalysis"];
export type VariantAnalysis = Schemas["VariantAnalysis"];
export type SourceAccess = Schemas["SourceAccess"];
export type Overview = Schemas["Overview"];
export type DeviceOverview = Schemas["DeviceOverview"];
export type ProviderOverview = Schemas["ProviderOverview"];
export type AgentStatus = Schemas["AgentStatus"];
export type KernelSummary = Schemas["KernelSummary"];
export type Sample = Schemas["Sample"];
export type Reading = Schemas["Reading"];
export type DevicePair = Schemas["DevicePair"];
export type PairModel = Schemas["PairModel"];
export type SpeedupModel = Schemas["SpeedupModel"];
export type SpeedupErrors = Schemas["SpeedupErrors"];
export type SpeedupVerdict = Schemas["SpeedupVerdict"];
export type VerdictErrors = Schemas["VerdictErrors"];
export type KernelSpeedup = Schemas["KernelSpeedup"];
export type Explanation = Schemas["Explanation"];
export type Warning = Schemas["Warning"];
export type Outside = Schemas["Outside"];
export type Forecast = Schemas["Forecast"];
export type Prediction = Schemas["Prediction"];
export type Baseline = Schemas["Baseline"];
export type Other = Schemas["Other"];
export type Predictions = Schemas["Predictions"];
export type Facts = Schemas["Facts"];
export type Access = Schemas["Access"];
export type TokenSummary = Schemas["TokenSummary"];
export type TokenRole = Schemas["TokenRole"];
export type AuditEntry = Schemas["AuditEntry"];
export type Decided = Schemas["Decided"];
export type Decision = Schemas["Decision"];
export type SampleSelection = Schemas["SampleSelection"];
export type MeasuredStreams = Schemas["MeasuredStreams"];
export type OffloadAnswer = Schemas["OffloadAnswer"];
export type OffloadQuestion = Schemas["OffloadQuestion"];
export type Problem = Schemas["Problem"];
export type FieldProblem = Schemas["FieldProblem"];

/** Only its JSON: the exports as CSV are links. */
export const api = createClient<paths, "application/json">({
  headers: { accept: "application/json, application/problem+json" },
});

api.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value);
    return request;
  },
});

/** The server's refusal, in its own words. */
export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title);
  }
}

/**
 * The body of a successful answer. Throws a `Refusal` for an error of the server, a `TypeError` where there is
 * no answer.
 */
export async function body<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return data;
  throw new Refusal(isProblem(error) ? error : { type: "about:blank", ...status(response) });
}

function isProblem(error: unknown): error is Problem {
  return typeof error === "object" && error !== null && "title" in error && "status" in error;
}

function status(response: Response) {
  return {
    title: `HTTP ${response.status.toString()} ${response.statusText}`.trim(),
    status: response.status,
  };
}
