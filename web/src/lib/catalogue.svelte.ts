/** Models, devices and jobs of the server, refreshed on its events, or by polling where there are none. */
import { api, body, type DeviceSummary, type FittingJob, type ModelSummary } from "../api/client";
import { live } from "./live.svelte";
import { allPages } from "./pages";

const WHILE_FITTING_MS = 2_000;
const WHILE_FAILING_MS = 5_000;
const OTHERWISE_MS = 30_000;

class Catalogue {
  /** Models of devices' own counters. Pages that need models across devices load them. */
  models = $state.raw<ModelSummary[]>([]);
  devices = $state.raw<DeviceSummary[]>([]);
  /** Fits that wait or run. */
  pending = $state(0);
  /** Fits that wait, run or fail. */
  jobs = $state.raw<FittingJob[]>([]);
  state = $state<"loading" | "ready" | "failing">("loading");
  /** Why the last refresh failed; null where it did not. */
  trouble = $state.raw<Error | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  samples = $derived(this.devices.reduce((sum, device) => sum + device.samples, 0));

  #names = $derived(new Map(this.devices.map((one) => [one.id, one.short_name])));

  /** Its short name; its number, where the server does not know it. */
  deviceName = (id: number): string =>
    this.#names.get(id) ?? (this.state === "loading" ? "…" : id.toString());

  /** The id of a sample's device; absent where the server does not know it. */
  deviceOf = ({ name, vendor }: { name: string; vendor: string }): number | undefined =>
    this.devices.find((one) => one.name === name && one.vendor === vendor)?.id;

  /** Its short name, which tells it from all others that the server knows. */
  nameOf = (device: { name: string; vendor: string }): string => {
    const id = this.deviceOf(device);
    return id === undefined ? device.name : this.deviceName(id);
  };

  /** Loads everything, and again after a pause. */
  refresh = async (): Promise<void> => {
    clearTimeout(this.#timer);
    try {
      const [models, devices, jobs] = await Promise.all([
        allPages((cursor) =>
          body(api.GET("/v1/models", { params: { query: { own: true, limit: 1000, ...cursor } } })),
        ),
        body(api.GET("/v1/devices", { params: { query: { limit: 1000 } } })),
        body(api.GET("/v1/jobs")),
      ]);
      this.models = models;
      this.devices = devices.items;
      this.pending = jobs.pending;
      this.jobs = jobs.items;
      this.state = "ready";
      this.trouble = null;
    } catch (error) {
      this.state = "failing";
      this.trouble = error instanceof Error ? error : new Error(String(error));
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.refresh, this.#pause());
  };

  #pause(): number {
    if (this.state === "failing") return WHILE_FAILING_MS;
    if (live()) return OTHERWISE_MS;
    return this.pending > 0 ? WHILE_FITTING_MS : OTHERWISE_MS;
  }
}

export const catalogue = new Catalogue();
