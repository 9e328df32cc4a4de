/** Which device is forecast worst. */
import { greatest, least } from "d3-array";
import type { ChampionOverview, DeviceOverview } from "../api/client";

export interface Answering {
  device: DeviceOverview;
  provider: string;
  champion: ChampionOverview;
  /** Mean error on kernels that it had not seen. */
  error: number;
}

/** Each device by the counters that forecast it best, and of these the one that is off most. */
export function worst(devices: DeviceOverview[]): Answering | undefined {
  const best = devices.flatMap((device) => least(answering(device), ({ error }) => error) ?? []);
  return greatest(best, ({ error }) => error);
}

function answering(device: DeviceOverview): Answering[] {
  return device.providers.flatMap(({ provider, champion }) => {
    const error = champion?.leave_one_kernel_out?.mean_ape;
    return champion && error !== undefined ? [{ device, provider, champion, error }] : [];
  });
}
