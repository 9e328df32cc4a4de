/** Ranks devices by the error of their forecasts. */
import { ascending, greatest, least } from "d3-array";
import type { ChampionOverview, DeviceOverview } from "../api/client";

export interface RankedChampion {
  device: DeviceOverview;
  provider: string;
  champion: ChampionOverview;
  /** Mean error on kernels that it had not seen. */
  error: number;
}

/** The device whose best champion has the largest error. */
export function worst(devices: DeviceOverview[]): RankedChampion | undefined {
  return greatest(devices.flatMap(best), ({ error }) => error);
}

/** Providers that do not read hardware counters, the most accurate first. */
const SOFTWARE = ["analysis", "oclgrind", "launch"];

/**
 * Providers whose champion has errors on left-out kernels, those of hardware first. (The microbenchmark is one
 * kernel, so it has none.)
 */
export function providers(devices: DeviceOverview[]): string[] {
  const validated = devices.flatMap((device) =>
    device.providers
      .filter(({ champion }) => !champion || champion.leave_one_kernel_out != null)
      .map(({ provider }) => provider),
  );
  return [...new Set(validated)].sort(
    (a, b) => ascending(SOFTWARE.indexOf(a), SOFTWARE.indexOf(b)) || ascending(a, b),
  );
}

/** Devices with hardware counters first, then by their smallest error. */
export function rankDevices(devices: DeviceOverview[]): DeviceOverview[] {
  const counts = (device: DeviceOverview) =>
    answering(device).some(({ provider }) => !SOFTWARE.includes(provider));
  return devices.toSorted(
    (a, b) =>
      Number(counts(b)) - Number(counts(a)) ||
      ascending(best(a)[0]?.error ?? Infinity, best(b)[0]?.error ?? Infinity),
  );
}

function best(device: DeviceOverview): RankedChampion[] {
  return [least(answering(device), ({ error }) => error) ?? []].flat();
}

function answering(device: DeviceOverview): RankedChampion[] {
  return device.providers.flatMap(({ provider, champion }) => {
    const error = champion?.leave_one_kernel_out?.mean_ape;
    return champion && error !== undefined ? [{ device, provider, champion, error }] : [];
  });
}
