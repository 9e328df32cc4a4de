/** Typical values for the forecast's fields. */
import type { FitCounter } from "../lib/coefficients";
import { type CounterTexts, split } from "../lib/forecast";

/**
 * The mean of each counter of a fit, as texts. Texts of other providers stay; other counters of the same providers go,
 * because a sample's values do not fit the means.
 */
export function typicalTexts(fitted: FitCounter[], texts: CounterTexts): CounterTexts {
  const providers = new Set(fitted.map(({ counter }) => split(counter).provider));
  const others = Object.entries(texts).filter(
    ([counter]) => !providers.has(split(counter).provider),
  );
  const all: CounterTexts = {
    ...Object.fromEntries(others),
    ...Object.fromEntries(fitted.map(({ counter, typical }) => [counter, text(typical)])),
  };
  // The three means contradict each other, so work_items is computed from the other two.
  const { "launch:work_groups": groups, "launch:work_group_size": size } = all;
  if (all["launch:work_items"] && groups && size) {
    all["launch:work_items"] = (Number(groups) * Number(size)).toString();
  }
  return all;
}

function text(value?: number): string {
  return value === undefined ? "" : Number(value.toPrecision(6)).toString();
}
