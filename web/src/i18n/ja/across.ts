/** 「デバイス間」のページ。 */
import type { across as English } from "../en/across";

export const across: typeof English = {
  across: {
    matrix: "あるデバイスのカウンタから別のデバイスの時間へ",
    lead: "別のデバイスで実行されたカーネル（未知のもの）の平均誤差のうち最小のものと、その求め方です。元のカウンタと時間から、予測先自身のソースからのモデルで、または単純な基準（下段、元の時間 × 両デバイスの時間の比の中央値）で求めます。",
    from: "計数",
    to: "予測",
    plain: "比の中央値",
    routes: {
      pair: "元のカウンタと時間から",
      source: "自身のソースから",
      plain: "比の中央値で",
    },
    routeHere: (route, error) => `誤差が最小なのは${route}、平均 ${error} です。`,
    nothing: "共通のワークロードなし",
    none: "デバイスの組はまだありません",
    noneText:
      "同じワークロードを実行したデバイスどうしで予測します。2 台目のデバイスのサンプルが必要です。",
    pair: (countedOn, target) => `${countedOn} から ${target} を予測`,
    all: "すべての組",
    knows: "使うもの",
    counters: "カウンタ",
    countersAndTime: "カウンタと時間",
    workloads: "ワークロード",
  },
};
