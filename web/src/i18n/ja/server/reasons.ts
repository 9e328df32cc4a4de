/** 隔離・保留の理由。英語はサーバーの文をそのまま使う。 */
import type { Doubt, FitRefusal, HeldBecause } from "../../../api/client";
import { count, events, multiple, percent, prefixed, time, times } from "../../../lib/format";

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
  }
}

function held(it: HeldBecause): string {
  switch (it.kind) {
    case "worse":
      return `両方の評価に使った未知のカーネル ${count(it.kernels)} 個での平均誤差が ${percent(it.now)} で、前のモデルは ${percent(it.before)} です。`;
    case "no_fit":
      return "前にはあった当てはめが、今回はひとつもできません。";
  }
}
