import { expect, test } from "vitest";
import type { ModelSummary } from "../api/client";
import { devicesFromSource } from "./sourceForecasts";

function model(device: number, counters: string[], more = {}, specification = {}): ModelSummary {
  return {
    id: device.toString(),
    champion: true,
    specification: { device, provider: "analysis", method: "waves", counters, ...specification },
    ...more,
  } as unknown as ModelSummary;
}

const counters = { analysis: { sectors: 4, chain: 9 }, launch: { work_groups: 2 } };

test("a device counts whose champion takes only counters that the source tells", () => {
  const models = [
    model(4, ["analysis:sectors", "launch:work_groups"]),
    model(1, ["analysis:cpu_chain", "launch:work_groups"]),
    model(5, ["analysis:sectors"], { champion: false }),
    model(6, ["analysis:sectors"], {}, { response: "local_memory:cycles" }),
    model(7, ["analysis:sectors"], {}, { counted_on: 4 }),
    model(8, ["oclgrind:add"], {}, { provider: "oclgrind" }),
    model(9, ["analysis:chain"]),
  ];
  expect(devicesFromSource(models, counters)).toEqual([4, 9]);
});

test("where nothing is counted, nothing is forecast", () => {
  expect(devicesFromSource([model(4, [])], null)).toEqual([]);
});
