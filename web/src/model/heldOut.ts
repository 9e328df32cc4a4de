/** Tooltips and table columns of held-out samples, for every figure of a validation. */
import type { Column } from "../chart/table";
import type { Tip } from "../chart/tip";
import type { Messages } from "../i18n/en";
import type { Mark } from "./ratioFigure";
import { amount, ratio, sizes } from "../lib/format";

export function tip(mark: Mark, unit: string, words: Messages, factor?: number): Tip {
  const { kernel, variant, parameters, measured, predicted, refusal } = mark.held;
  const facts: [string, string][] = [
    [words.ratio.measured, amount(measured, unit)],
    [words.ratio.predicted, predicted == null ? words.ratio.none : amount(predicted, unit)],
  ];
  if (mark.ratio !== null) facts.push([words.ratio.ratio, ratio(mark.ratio)]);
  if (factor !== undefined && predicted != null && predicted > 0) {
    const ends = [predicted / factor, predicted * factor].map((end) => amount(end, unit));
    facts.push([words.ratio.interval, ends.join(" – ")]);
  }
  return {
    title: `${kernel} ${variant}`,
    soft: sizes(parameters),
    facts,
    remark: mark.fate === "negative" ? words.ratio.impossible : (refusal ?? null),
  };
}

export function columns(unit: string, words: Messages): Column<Mark>[] {
  const number = (value: number | null | undefined) => (value == null ? "—" : amount(value, unit));
  return [
    { head: words.kernel.kernel, value: ({ held }) => held.kernel },
    { head: words.kernel.variant, value: ({ held }) => held.variant },
    { head: words.kernel.sizes, value: ({ held }) => sizes(held.parameters) },
    {
      head: `${words.ratio.measured} (${unit})`,
      value: ({ held }) => held.measured,
      text: ({ held }) => number(held.measured),
    },
    {
      head: `${words.ratio.predicted} (${unit})`,
      value: ({ held }) => held.predicted ?? null,
      text: ({ held }) => number(held.predicted),
    },
    {
      head: words.ratio.ratio,
      value: (mark) => mark.ratio,
      text: (mark) =>
        mark.ratio === null
          ? mark.fate === "negative"
            ? words.ratio.negative
            : (mark.held.refusal ?? words.ratio.none)
          : ratio(mark.ratio),
    },
  ];
}
