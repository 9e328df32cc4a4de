/** サーバーの警告。英語はサーバーの文をそのまま使う。 */
import type { Warning } from "../../../api/client";
import { count, events, multiple, percent, time, times } from "../../../lib/format";
import type { ServerWarning } from "../../../lib/warnings";

type HoldOut = Extract<Warning, { kind: "not_judged" }>["left_out"];
type Scope = Extract<Warning, { kind: "counted_in_part" }>["scope"];
type Standing = Extract<Warning, { kind: "set_aside" }>["standing"];
type Flag = Extract<Warning, { kind: "flagged" }>["flag"];

const LEFT_OUT: Record<HoldOut, string> = {
  row: "行",
  kernel: "カーネル",
  family: "系統",
  region: "領域",
};
const PARTS: Record<Scope, string> = {
  full: "起動全体のもの",
  first_and_last_group: "最初と最後のワークグループから全体に換算したもの",
  sampled_groups: "一部のワークグループから全体に換算したもの",
  reduced_size: "より小さいサイズで数えたもの",
};
const ASIDE: Record<Standing, string> = {
  unjudged: "未判定",
  sound: "正常",
  quarantined: "隔離中",
  rejected: "却下",
  accepted: "承認",
};
const FLAGS: Record<Flag, string> = {
  throttled: "測定中にデバイスのクロックが下がっていました",
  shared: "測定中に他のプロセスがデバイスを使っていました",
  outliers: "繰り返しの中に外れ値があります",
};

const seconds = (value: number | null | undefined) => (value == null ? "∞" : time(value));
const instant = (text: string) =>
  new Intl.DateTimeFormat("ja-JP", { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(text),
  );
const joined = (all: string[]) => all.join("、");
/** 初めのいくつかと、残りの数。 */
const some = (first: string[], all: number) =>
  joined(first) + (all > first.length ? ` ほか ${count(all - first.length)} 個` : "");
const counted = ({ counter, value }: { counter: string; value: number }) =>
  `${counter}（${events(value)}）`;

/** 文にしたもの。句点で終わる。 */
export function warning({ warning: it }: Pick<ServerWarning, "warning">): string {
  switch (it.kind) {
    case "launches_left_out":
      return `複数回の起動からなるサンプル ${count(it.samples)} 件を除いています。予測は 1 回の起動についてのものです。`;
    case "counter_lacking":
      return `サンプル ${count(it.of)} 件のうち ${count(it.samples)} 件は ${it.counter} がないため除いています。`;
    case "counted_in_part":
      return `サンプル ${count(it.of)} 件のうち ${count(it.samples)} 件の ${it.provider} のカウンタは、${PARTS[it.scope]}です。`;
    case "flagged":
      return `サンプル ${count(it.of)} 件のうち ${count(it.samples)} 件は、${FLAGS[it.flag]}。`;
    case "absurd": {
      const named = it.named.map(
        ({ sample, kernel, response }) => `${kernel} の ${sample}（${response.toExponential(3)}）`,
      );
      return `サンプル ${count(it.of)} 件のうち ${count(it.samples)} 件は、そのカーネルなしの当てはめによる予測から極端に外れているため、当てはめに使っていません。人が書いたカーネルの分は誤差に数えます: ${some(named, it.samples)}`;
    }
    case "set_aside":
      return `このデバイスのサンプル ${count(it.samples)} 件（${ASIDE[it.standing]}）を除いています。`;
    case "few_kernels":
      return `カウンタ ${count(it.counters)} 個に対してカーネルが ${count(it.kernels)} 個しかありません。${count(it.counters + 2)} 個以上が望まれます。`;
    case "nearly_collinear":
      return `カウンタ同士がほぼ線形従属です（条件数 ${it.condition == null ? "∞" : count(it.condition)}）。個々の係数にはあまり意味がなく、学習したものと似ていない予測は大きく外れえます。`;
    case "negative_times":
      return `当てはめに使ったサンプル ${count(it.of)} 件のうち ${count(it.samples)} 件の予測が 0\u00a0秒以下になります。`;
    case "missed": {
      const named = it.farthest.map(
        ({ kernel, measured_s, forecast_s }) =>
          `${kernel}（実測 ${time(measured_s)}、予測 ${seconds(forecast_s)}）`,
      );
      return `当てはめに使ったのに、${count(it.kernels)} カーネルの時間 ${count(it.of)} 件中 ${count(it.times)} 件が ${percent(it.level)} 区間の外にあります。最も遠いもの: ${joined(named)}`;
    }
    case "not_judged": {
      const why = it.why == null ? "" : `（${it.why}）`;
      return `${LEFT_OUT[it.left_out]}を 1 つ除くと、評価に使える当てはめが残りません${why}。`;
    }
    case "negative_forecasts":
      return `${LEFT_OUT[it.left_out]}を 1 つずつ除くと、予測 ${count(it.of)} 件中 ${count(it.forecasts)} 件が 0 以下になります。`;
    case "not_forecast":
      return `${LEFT_OUT[it.left_out]}を 1 つずつ除くと、サンプル ${count(it.of)} 件中 ${count(it.samples)} 件は予測できません。`;

    case "measured_outside": {
      const end = it.lies === "below" ? "下限より短く" : "上限より長く";
      return `実測値 ${time(it.measured_s)} が ${percent(it.level)} 区間の${end}、${times(it.factor)} 倍外れています。この予測も、似たカーネルの予測も、当てにしないでください。`;
    }
    case "profiled_outside": {
      const end = it.lies === "below" ? "下限より短く" : "上限より長く";
      return `${it.counter} によると、この起動の時間は ${time(it.time_s)} で、区間の${end}、${times(it.factor)} 倍外れています。他のカウンタかモデルのどちらかが間違っています。`;
    }
    case "pending":
      return `${joined(it.providers)} のカウンタによる当てはめが ${instant(it.since)} から残っています。終わると答えが変わりえます。`;
    case "no_time":
      return `${time(it.time_s)} は時間ではありません。線形モデルは、特にカウンタの小さい短いカーネルで 0 以下になりえます。「短い」ということしかわかりません。`;
    case "disagree": {
      const others = it.others.map(({ method, provider, time_s, ratio }) => {
        const off = ratio > 1 ? `${times(ratio)} 倍` : `${multiple(ratio)} 倍`;
        return `${provider} の ${method} は ${time(time_s)}（${off}）`;
      });
      return `他のモデルが、区間では説明できないほど食い違うため、学習範囲内のモデルの予測を含むまで区間を広げてあります: ${joined(others)}`;
    }
    case "several_launches":
      return `カウンタは ${count(it.launches)} 回の起動の合計です。起動ごとに待ち時間があり、モデルは 1 回の起動から学習しています。起動ごとのカウンタで予測し、足し合わせてください。`;
    case "atomics_unplaced":
      return `グローバルメモリへのアトミック演算があり、${it.provider} のこれらのカウンタからは何個のアドレスに対するものか分かりません。少数のアドレスに集中していると、何倍も長くかかることがあります。`;
    case "only_geometry": {
      const unused = it.unused.length > 0 ? `${joined(it.unused)} のカウンタは使われません。` : "";
      return `起動の形しか使わない予測です。各ワークアイテムの仕事量は数えられていません。${unused}`;
    }
    case "counters_unused":
      return `${joined(it.providers)} のカウンタは使われません。起動の形しか使わない予測です。`;
    case "missing":
      return `モデルのカウンタ ${count(it.of)} 個のうち ${count(it.counters)} 個がなく、サンプルの平均で補っています: ${some(it.named.map(counted), it.counters)}`;
    case "outside": {
      const others = it.others.map(counted);
      const rest =
        others.length > 0 ? `他に ${some(others, others.length + it.more)} も範囲外です。` : "";
      return `${it.counter} の ${events(it.value)} は、学習範囲 ${events(it.min)} ～ ${events(it.max)} の外です（外挿）。${rest}`;
    }
    case "misspelt":
      return `${it.counter} は知られていないカウンタで、使われません。${it.meant} の誤りではありませんか。${it.champion ? `これがないため、チャンピオンの ${it.champion}  は答えられませんでした。` : ""}`;
    case "not_validated":
      return "このモデルは、未知のカーネルでの検証ができていません。";
    case "other_architecture":
      return `${it.gpu} は、答えるモデルの ${it.like} とは別のアーキテクチャです。このような予測は GPU 一種でしか試されていません（docs/gpus.md）。`;
    case "borrowed":
      return `このデバイス自身のカーネルは少数です。このモデルは ${it.of} のカーネル ${it.kernels.toString()} 個からも学び（時間は両方のデータシートで換算）、それらで評価されます。`;
    case "below_ceilings":
      return `モデルの予測は ${time(it.time_s)} ですが、デバイスの実測上限では ${time(it.least_s)} 未満になりえないため、その値を示します。実際はずっと長いかもしれません。`;

    case "against_ceilings":
      return `このカーネルについてモデルは誤っています。予測は長くても ${time(it.high_s)} ですが、デバイスの実測上限では少なくとも ${time(it.least_s)} かかります。`;
    case "means_unknown":
      return "欠けているカウンタがあり、平均で補うとどれだけ外れるかはわかりません。";
    case "too_far_off":
      return "モデルの誤差が大きすぎて、区間の上限がありません。";
    case "no_level":
      return `区間の水準 ${it.level.toString()} は 0 と 1 の間の数ではありません。`;
    case "too_few_left_out":
      return `水準 ${percent(it.level)} の区間には、カーネルまたはその領域を ${count(it.needed)} 個除いた検証が必要ですが、${count(it.folds)} 個しかありません。`;
    case "too_many_no_times":
      return `検証で時間にならない予測が多すぎ、水準 ${percent(it.level)} の区間が作れません。`;
    case "nothing_forecast":
      return "予測がひとつもありません。";
    case "nothing_to_bound":
      return `予測 ${time(it.time_s)} は時間ではないため、区間がありません。`;
  }
}
