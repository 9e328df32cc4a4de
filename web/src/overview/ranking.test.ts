import { expect, test } from "vitest";
import type { DeviceOverview } from "../api/client";
import { providers, rankDevices, worst } from "./ranking";

function device(id: number, errors: Record<string, number | null>): DeviceOverview {
  const providers = Object.entries(errors).map(([provider, mean_ape]) => ({
    provider,
    refused: 0,
    champion: {
      model: "m",
      method: "ols",
      created_at: "2026-11-21T00:00:00Z",
      samples: 9,
      kernels: 9,
      ...(mean_ape !== null && {
        leave_one_kernel_out: {
          n: 9,
          unpredicted: 0,
          mean_ape,
          median_ape: mean_ape,
          within_25: 0,
          negative: 0,
        },
      }),
    },
  }));
  return {
    id,
    name: `device ${id.toString()}`,
    short_name: id.toString(),
    vendor: "v",
    kind: "gpu",
    samples: 9,
    kernels: 9,
    shipped: false,
    providers,
  };
}

test("a device counts by its best counters, and a champion without validation does not", () => {
  const devices = [
    device(1, { ncu: 0.2, launch: 9 }),
    device(2, { oclgrind: 0.5, ncu: null }),
    device(3, { ncu: null }),
  ];
  expect(worst(devices)).toMatchObject({ device: { id: 2 }, provider: "oclgrind", error: 0.5 });
  expect(worst([])).toBeUndefined();
});

test("hardware's counters come first: as columns, and of devices", () => {
  const devices = [
    device(1, { launch: 0.1, analysis: 0.3 }),
    device(2, { launch: 3, analysis: 0.2, local_memory: null }),
    device(3, { launch: 4, oclgrind: 0.9, ncu: 0.4 }),
  ];
  expect(providers(devices)).toEqual(["ncu", "analysis", "oclgrind", "launch"]);
  expect(rankDevices(devices).map(({ id }) => id)).toEqual([3, 1, 2]);
});
