/** 「カーネル」のページ: 一覧、個々のカーネル、ソース、高速化率。 */
import { count } from "../../lib/format";
import type { kernels as English } from "../en/kernels";

export const kernels: typeof English = {
  kernel: {
    kernel: "カーネル",
    variant: "バリアント",
    variants: "バリアント",
    sizes: "サイズ",
    parameters: "パラメータ",
    search: "検索",
    noMatch: "該当するカーネルはありません。",
    noFamily: "系統なし",
    family: "系統",
    generated: "生成",
    verdicts: {
      faster: (device, typical, range) =>
        `${device} ではローカルメモリで速くなります。高速化率の中央値は ${typical}（${range}）。`,
      slower: (device, typical, range) =>
        `${device} ではローカルメモリで遅くなります。高速化率の中央値は ${typical}（${range}）。`,
      same: (device, typical, range) =>
        `${device} ではローカルメモリの有無でほとんど変わりません。高速化率の中央値は ${typical}（${range}）。`,
      depends: (device, typical, range) =>
        `${device} でローカルメモリにより速くなるかはサイズによります。高速化率の中央値は ${typical}（${range}）。`,
    },
    fastest: (clear, device, variant, than, typical, range) =>
      clear
        ? `${device} で最も速いバリアントは ${variant} です。${than} に対する高速化率の中央値は ${typical}（${range}）。`
        : `${device} では、常に速いバリアントはありません。${than} に対する ${variant} の高速化率の中央値は ${typical}（${range}）。`,
    ofSizes: (n, low, high) => (n === 1 ? "1 サイズ" : `${count(n)} サイズ、${low} ～ ${high}`),
    notMeasured: (device) => `${device} では測定していません。`,
    elsewhere: "ソースだけから予測できるデバイス:",
    generatedToo: "生成カーネルも表示（学習のみに使い、評価には使わない）",
    timeBySize: "サイズと時間",
    source: "ソース",
    file: "ファイル",
    dates: "時間の推移",
    datesLead: (device) =>
      `${device} で 2 回以上測定したワークロード。破線は新しいドライバを示します。`,
  },
  accesses: {
    title: "メモリアクセス",
    lead: (sizes) =>
      `ソースだけから求めた各アクセスの振る舞い（${sizes}）。要求はワークアイテム 32 個からなるワープ 1 回分です。`,
    forecast: (device, time, trust) =>
      `コストは、ソースだけから予測した ${device} での時間 ${time}（信頼度: ${trust}）に占める割合です。演算はどのアクセスのコストにも含まれません。`,
    noForecast: (device) =>
      `${device} にはソースだけから予測するモデルがないため、そこでのアクセスのコストは分かりません。`,
    notNow: (device) => `サーバーは ${device} でのソースだけからの予測を返しません。`,
    uncounted: (why) => `GPU のカウンタは計算できません: ${why}`,
    line: "行",
    access: "アクセス",
    memory: "メモリ",
    memories: {
      global: "グローバル",
      constant: "コンスタント",
      local: "ローカル",
      private: "プライベート",
    },
    index: "添字",
    classes: {
      affine: "アフィン",
      quasi_affine: "準アフィン",
      data_dependent: "データ依存",
      unknown: "不明",
    },
    request: "要求あたり",
    sectors: (n) => `${n} セクタ`,
    passes: (n) => `${n} パス`,
    reuse: "再利用",
    reuseWords:
      "ワークアイテムが同じ要素にアクセスする回数 × 同じ要素にアクセスするワークグループ内のワークアイテム数",
    group: "ワークグループ",
    groupWords: "ワークグループがアクセスする異なる要素の数",
    cost: "コスト",
    notes: (n) => `不明な点、データに依存する点 ${count(n)} 件`,
  },
  speedup: {
    title: "ローカルメモリで何倍速くなるか",
    lead: "高速化率は、ローカルメモリなしの時間 ÷ ありの時間。線より上ではローカルメモリのほうが速い。塗りつぶした点は実測値、白抜きの点は、そのカーネルを見ていないモデルが予測した値。",
    speedup: "高速化率",
    measured: "実測",
    forecast: "予測",
    forecasts: "カーネルを見る前のモデルの予測",
    from: (device: string) => `${device} から`,
    model: "モデル",
    typical: "典型的な誤差",
    verdict: "判定",
    verdicts: {
      pays_off: "速くなる",
      does_not: "速くならない",
      too_close: "僅差で判定できない",
      depends: "サイズによる",
    },
    noVerdict: "判定なし",
    sizes: (n, all) => `${count(all)} サイズ中 ${count(n)}`,
    correct: "正しかった判定",
    correctOf: (right, given) => `${count(given)} 件中 ${count(right)} 件`,
    trust:
      "誤差と、判定の正しさは、すべてのカーネルを順に除いて検証した値。除いたカーネルで同様の判定が十分に正しくなかったとき、または第 2 のモデルと食い違うときは、「判定なし」とする。高速化率が 1 に近く、その程度の差では判定がしばしば外れたときは、「僅差で判定できない」とする。",
    ownChange: "変更で速くなるかを調べるコマンド:",
    without: "ローカルメモリなしの時間",
  },
};
