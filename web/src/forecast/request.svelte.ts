/** A forecast request, its answer, and the answer before a change. */
import {
  api,
  body,
  type FieldProblem,
  type Predictions,
  Refusal,
  type Sample,
} from "../api/client";
import type { CounterSet } from "../lib/forecast";
import { countersOf } from "../lib/samples";
import { type MeasuredWorkload, loadWorkload } from "./workload";
import { counterChanges, type ForecastInput, UNMEASURED } from "./counterChanges";

type Answers = Predictions["predictions"];

/** The model, or the devices whose best models answer. */
export type Target = { model: string } | { device: number } | { devices: number[] };

/** For counters of another device: its id, and the time there in seconds as typed. */
export interface CountedOn {
  counted_on?: number;
  time_s?: number;
}

/** The part of a request that stays while counters change. */
interface RequestTarget {
  target: Target;
  from: CountedOn;
}

interface Answer {
  to: string;
  input: ForecastInput;
  predictions: Answers;
  before: Answers;
}

export class ForecastRequest {
  answer = $state.raw<Answer | null>(null);
  /** `of` is what was refused: loading the sample, or the forecast. */
  refusal = $state.raw<{
    of: "sample" | "question";
    error: unknown;
    errors: FieldProblem[];
  } | null>(null);
  /** Whether a request is under way. */
  busy = $state(false);
  /** The measured workload whose counters were loaded. */
  workload = $state.raw<MeasuredWorkload | null>(null);

  get sample(): Sample | null {
    return this.workload?.sample ?? null;
  }

  /** Loads the sample; false where that fails, with the reason in `refusal`. */
  async loadSample(id: string): Promise<boolean> {
    this.answer = null;
    this.refusal = null;
    try {
      this.workload = await loadWorkload(id);
      return true;
    } catch (error) {
      this.refusal = { of: "sample", error, errors: [] };
      return false;
    }
  }

  /** Clears the answer and the refusal. */
  clear() {
    this.answer = null;
    this.refusal = null;
  }

  async send(to: RequestTarget, counters: CounterSet) {
    this.busy = true;
    this.refusal = null;
    const last = this.answer;
    try {
      const predictions = await post(to, counters);
      const base = await this.#before(to, counters, last);
      this.answer = {
        to: JSON.stringify(to),
        predictions,
        before: base.predictions,
        input: {
          counters,
          countedOn: to.from.counted_on ?? null,
          time_s: to.from.time_s ?? null,
          measured: (base.isSample && this.workload?.times) || UNMEASURED,
          before: base.counters,
          changes: counterChanges(base.counters, counters),
        },
      };
    } catch (error) {
      this.answer = null;
      const errors = error instanceof Refusal ? (error.problem.errors ?? []) : [];
      this.refusal = { of: "question", error, errors };
    }
    this.busy = false;
  }

  /**
   * The forecast to compare with: of the sample's own counters, or of the last request. `isSample`: the counters
   * are the sample's, unchanged.
   */
  async #before(to: RequestTarget, counters: CounterSet, last: Answer | null) {
    if (this.sample) {
      const own = countersOf(this.sample);
      const isSample = counterChanges(own, counters).length === 0;
      const same = last && last.to === JSON.stringify(to) && last.before.length > 0;
      const again = () => (same ? last.before : post(to, own).catch(() => []));
      return { counters: own, predictions: isSample ? [] : await again(), isSample };
    }
    if (
      last?.to === JSON.stringify(to) &&
      counterChanges(last.input.counters, counters).length > 0
    ) {
      return { counters: last.input.counters, predictions: last.predictions, isSample: false };
    }
    return { counters, predictions: [], isSample: false };
  }
}

async function post({ target, from }: RequestTarget, counters: CounterSet): Promise<Answers> {
  // As typed, even where a value is not a number: the server checks it.
  const set = counters as Record<string, Record<string, number>>;
  const request = { ...target, ...from, counters: set };
  return (await body(api.POST("/v1/predictions", { body: request }))).predictions;
}
