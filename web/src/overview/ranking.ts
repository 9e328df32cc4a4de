/** How far devices are forecast wrong. */
import { ascending, greatest, least } from "d3-array";
import type { ChampionOverview, DeviceOverview } from "../api/client";

export interface RankedChampion {
  device: DeviceOverview;
  provider: string;
  champion: ChampionOverview;
  /** Mean error on kernels that it had not seen. */
  error: number;
}

/** Each device by the counters that forecast it best, and of these the one that is off most. */
export function worst(devices: DeviceOverview[]): RankedChampion | undefined {
  return greatest(devices.flatMap(best), ({ error }) => error);
}

/** Providers that read no hardware, the most telling first. */
const SOFTWARE = ["analysis", "oclgrind", "launch"];

/** Those that have something to judge by (the microbenchmark, of one kernel, has not), hardware's first. */
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

/** Devices whose hardware counts first, then by their least error. */
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
