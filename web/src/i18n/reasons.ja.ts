/** 隔離・保留・予測の動き・書き換えない理由。英語はサーバーの文をそのまま使う。 */
import type {
  Doubt,
  FitRefusal,
  HeldBecause,
  LocalizedReason,
  LocalizedRefusal,
  MovedBecause,
  NewestSamples,
} from "../api/client";
import { count, events, multiple, percent, prefixed, time, times } from "../lib/format";

/** 上限と同じ単位で。 */
export const rate = (value: number, ceiling: string) =>
  prefixed(value, ceiling.endsWith("bytes_per_s") ? "B/s" : "FLOP/s");

const CEILINGS: Record<Extract<Doubt, { kind: "beyond_device" }>["of"], string> = {
  bytes: "copy_bytes_per_s",
  single_operations: "fp32_flop_per_s",
  double_operations: "fp64_flop_per_s",
};

/** 当てはめができない理由。 */
export function fitRefusal(it: FitRefusal): string {
  switch (it.kind) {
    case "no_sample":
      return "すべてのカウンタがそろったサンプルがありません。";
    case "too_few_rows":
      return `カウンタ ${count(it.counters)} 個に対して行が ${count(it.rows)} 行しかありません。${count(it.needed)} 行必要です。`;
    case "nothing_varies":
      return `カウンタ ${count(it.counters)} 個のどれも、${count(it.rows)} 行の間で変わりません。`;
    case "nothing_known":
      return `カウンタ ${count(it.counters)} 個の事象にかかる時間が何もわかっていません。`;
    case "too_few_kernels":
      return `カーネルが ${count(it.found)} 個しかありません。${count(it.needed)} 個必要です。`;
    case "not_finite":
      return "当てはめが桁あふれし、切片または係数が有限になりません。";
    case "text":
      return it.text;
  }
}

/** 一つずつ文にして続けたもの。 */
const told = <T>(all: T[], one: (it: T) => string) => all.map(one).join("");

/** サンプルを隔離した理由。 */
export const doubts = (all: Doubt[]) => told(all, doubt);

/** モデルを保留した理由。 */
export const heldBecause = (all: HeldBecause[]) => told(all, held);

/** 予測が動いた理由。 */
export const movedBecause = (all: MovedBecause[]) => told(all, moved);

function doubt(it: Doubt): string {
  switch (it.kind) {
    case "no_time":
      return `${time(it.time_s)} は時間ではありません。`;
    case "below_launch":
      return `${time(it.time_s)} は、このデバイスの最短の起動 ${time(it.launch_s)} に比べて短すぎます。`;
    case "beyond_device": {
      const [found, most] = [it.per_second, it.most].map((value) => rate(value, CEILINGS[it.of]));
      return `カウンタと時間から計算すると ${found ?? ""} になりますが、このデバイスの実測の上限は ${most ?? ""} です。`;
    }
    case "unlike_forecast":
      return `時間は ${time(it.time_s)} で、${it.provider} のカウンタからの予測 ${time(it.forecast_s)} の ${multiple(it.time_s / it.forecast_s)} 倍です。カウンタが新しいワークロードでは、予測から ${times(it.believed)} 倍以内の時間だけを信じます。`;
    case "unlike_before":
      return `時間は ${time(it.time_s)} で、このワークロードのこれまでの ${time(it.before_s)} の ${multiple(it.time_s / it.before_s)} 倍です。`;
    case "counters_differ": {
      const named = it.named.map(
        ({ counter, now, before }) => `${counter} は ${events(now)}（以前は ${events(before)}）`,
      );
      const more = it.more > 0 ? `他に ${count(it.more)} 個のカウンタも異なります。` : "";
      return `カウンタがこれまでと異なります: ${named.join("、")}。${more}`;
    }
    case "collection_shifted": {
      const way = it.shift > 0 ? "長く" : "短く";
      return `同じ収集の既知のワークロード ${count(it.workloads)} 個の時間が、そろって以前より ${percent(Math.abs(it.shift))} ${way}なっています。`;
    }
    case "collection_scattered":
      return `同じ収集の既知のワークロード ${count(it.workloads)} 個の時間が、以前と上下に ${percent(it.by)} ほど食い違います。`;
    case "collection_unlike_forecasts":
      return `同じ収集の新しいワークロード ${count(it.workloads)} 個は、10 個中 9 個が収まるはずの幅の ${times(it.times)} 倍ほど予測から離れています。`;
    case "text":
      return it.text;
  }
}

const newest = ({ agent, samples }: NewestSamples) =>
  `${agent} の最新のサンプル ${count(samples)} 件`;
const listed = (uploads: NewestSamples[], between: string) => uploads.map(newest).join(between);

function held(it: HeldBecause): string {
  switch (it.kind) {
    case "worse":
      return `両方の評価に使った未知のカーネル ${count(it.kernels)} 個での平均誤差が ${percent(it.now)} で、前のモデルは ${percent(it.before)} です。`;
    case "no_fit":
      return "前にはあった当てはめが、今回はひとつもできません。";
    case "without":
      return `${listed(it.uploads, "、または ")}がなければ、こうはなりません。`;
    case "unexplained":
      return "どのエージェントの最新のサンプルも、単独では原因になりません。";
    case "text":
      return it.text;
  }
}

function moved(it: MovedBecause): string {
  switch (it.kind) {
    case "nothing_new":
      return "新しいサンプルはありません。手法、カウンタ、バージョンのいずれかが変わりました。";
    case "new":
      return `新しいのは ${listed(it.uploads, "、")}です。`;
    case "without":
      return `${listed(it.uploads, "、または ")}がなければ、予測は元のままです。`;
    case "unexplained":
      return "どのエージェントの分も、単独では原因になりません。";
    case "text":
      return it.text;
  }
}

const LOCALIZED: Record<LocalizedReason, string> = {
  not_followed: "カーネルの全体を解析しきれていません",
  group_size_varies: "ワークグループの大きさがサイズごとに異なります",
  elsewhere_written: "カーネルが別のファイルにあるか、その先頭がマクロで作られています",
  unknown_store: "解析できないポインタを通した書き込みがあります",
  written: "カーネルが書き込むため、読み戻す値が他のワークグループのものかもしれません",
  same_buffer: "別の引数が同じバッファを指し、どちらかが書き込まれます",
  in_function: "カーネルが呼び出す関数の中でアクセスされます",
  in_macro: "アクセスがマクロで作られています",
  directive: "書き換える箇所にプリプロセッサの行があります",
  several_arrays: "ポインタが複数の配列を指すかもしれません",
  data_dependent: "添字がデータで決まります",
  unknown_index: "添字を解析できません",
  shape: "添字がタイルにできる形ではありません",
  size_depends: "ワークグループがアクセスする範囲が、引数や起動によって変わります",
  loop_differs:
    "ワークアイテムごとに、またはデータによって回数の異なるループの中にバリアが必要になります",
  loop_ends_early: "途中で抜けることのあるループの中にバリアが必要になります",
  loop_form: "for (int i = first; i < end; ++i) の形でないループの中にバリアが必要になります",
  divergent: "グループの全ワークアイテムが通るとは限らない場所にバリアが必要になります",
  too_large: "タイルがローカルメモリに収まりません",
  beyond_buffer: "タイルの読み込みがバッファの外に出ます",
  outside_tile:
    "すべてのアクセスがタイルの中にあることについて、式による証明と数え上げが一致しません",
  name: "書き込む場所では、名前が別のものを指します",
  text: "書き換えに対応していない書き方です",
  no_reuse:
    "他のワークアイテムが読む要素を読むワークアイテムはなく、隣同士は隣り合う要素を読みます",
  fill_costs: "タイルの読み込みに、節約できるのと同じだけの読み出しが必要です",
  barrier_costs: "ループの各回のバリアが、その回のわずかな読み出しより高くつきます",
  only_written: "カーネルは書き込むだけです",
  parts_overlap: "ワークグループの受け持つ範囲が重なるか、重なるかもしれません",
  returns: "書き戻しを行う最後の行より前に、カーネルが終わるかもしれません",
  old_value: "アトミック演算が返す値が使われます",
  operations:
    "同じ要素に対して、種類の異なるアトミック演算や、順序で結果の変わるアトミック演算が行われます",
  also_accessed: "アトミック演算のほかに、読み出しや書き込みがあります",
  not_square: "ワークグループが正方形でなく、ワークアイテムを入れ替えられません",
  in_loop: "書き込みがループの中にあります",
  volatile: "volatile です",
};

/** 配列、またはカーネルを書き換えない理由。古い解析には文しかない。 */
export const localizedReason = ({ why, reason }: Pick<LocalizedRefusal, "why" | "reason">) =>
  why == null ? reason : `${LOCALIZED[why]}。`;
