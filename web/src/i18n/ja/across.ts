/** 「デバイス間」のページ。 */
import type { across as English } from "../en/across";

export const across: typeof English = {
  across: {
    matrix: "あるデバイスのカウンタから別のデバイスの時間へ",
    lead: "行は計数と計時をしたデバイス、列は予測するデバイスです。各マスの上段は、未知のカーネルでの 3 通りの平均誤差のうち最小のもの（そのためやや楽観的）と、その求め方です（行のデバイスのカウンタと時間から、列のデバイス自身のモデルでカーネルのソースから、または基準）。下段は基準の誤差です。基準は、行のデバイスでの時間 × 両デバイスの時間の比の中央値です。",
    from: "計数",
    to: "予測",
    plain: "基準",
    routes: {
      pair: "元のカウンタと時間から",
      source: "カーネルのソースから",
      plain: "基準",
    },
    routeHere: (route, error) => `誤差が最小なのは${route}、平均 ${error} です。`,
    nothing: "共通のワークロードなし",
    none: "デバイスの組はまだありません",
    noneText:
      "同じワークロードを実行したデバイスどうしで予測します。2 台目のデバイスのサンプルが必要です。",
    pair: (countedOn, target) => `${countedOn} から ${target} を予測`,
    all: "すべての組",
    uses: "使うもの",
    counters: "カウンタ",
    countersAndTime: "カウンタと時間",
    workloads: "ワークロード",
  },
};
