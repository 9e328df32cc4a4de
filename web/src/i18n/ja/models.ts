/** 「モデル」のページ: 一覧、個々のモデル、誤差、コスト。 */
import { count } from "../../lib/format";
import type { models as English } from "../en/models";

export const models: typeof English = {
  errors: {
    mean: "平均",
    median: "中央値",
    factor: "倍率",
    meanError: "平均誤差",
    medianError: "誤差の中央値",
    factorName: "典型倍率",
    within: "25\u00a0% 以内",
    interval: (level) => `${level} 区間`,
    intervalOfRegions: (level) => `${level} 区間（領域を除いて検証）`,
    covers: (share) => `被覆率 ${share}`,
    negative: "負の予測",
    unpredicted: "予測なし",
  },
  models: {
    title: "モデル",
    lead: "当てはめに使っていないカーネルでの予測誤差です。カーネルの全バリアント・全サイズをまとめて除きます。1 行だけ除いた誤差のほうが小さいのは、同じカーネルの他のサイズが学習に残るためです。",
    paper:
      "参考: 論文に報告された誤差（10 カーネル、1 つ抜き）: GTX 480 はローカルメモリなしで 4.6\u00a0%、ありで 5.0\u00a0%。GTX 285 は 38.9\u00a0% と 21.8\u00a0%。島田・遠藤・丸山・松岡、2010 年。",
    moreWarnings: (n) => `ほか ${count(n)} 件`,
    show: "表示",
    champions: "チャンピオン",
    model: "モデル",
    unseenKernels: "未知のカーネルでの誤差",
    unseenKernelsShort: "未知のカーネル",
    unseenRows: "未知の行",
    negative: "負の予測",
    kernels: "カーネル",
    samples: "サンプル",
  },
  model: {
    champion: "チャンピオン",
    held: "保留中",
    heldTitle: "このモデルは管理者の承認を待っています",
    heldText: "承認されるまでは前のモデルが代わりに予測します。",
    heldMore: "承認するか、サンプルを却下する",
    notFitted: "当てはめ不可",
    forecast: "このモデルで予測",
    fitted: (when) => `${when} に当てはめ:`,
    replaced: "新しいモデルに置き換えられました。",
    newer: "新しいモデルを表示",
    noFit: "当てはめられませんでした",
    noReason: "サーバーは理由を示していません。",
    moreSamples:
      "サンプルを増やすと当てはめられるかもしれません。新しい当てはめは自動で始まります。",
    all: "すべてのモデル",
    holdOut: "まとめて除く単位",
    holdOuts: { kernel: "カーネル", row: "行", family: "系統", region: "領域" },
    allTogether: "全バリアントの合計",
    notValidated: "このモデルは検証できませんでした。理由は警告にあります。",
    scatter: "予測と実測",
    notDrawn: (n) => `0 以下または予測なしの ${count(n)} 件はここに描いていません。`,
    perKernel: "カーネルごとの誤差（大きい順）",
    methods: "手法と除き方の比較",
    methodsLead: "同じカウンタによる全モデル: カーネル・系統・行をそれぞれ除いた場合の平均誤差。",
    judgedBy: (leftOut) => `評価（${leftOut}）:`,
    judgedWords:
      "（予測と実測の典型的な倍率。各カーネルを 1 回ずつ数えます）。これが最小のモデル、または同等のうち最も単純なモデルがチャンピオンです。",
    leftOut: {
      kernel: "カーネルを除いて検証",
      row: "行を除いて検証",
      family: "系統を除いて検証",
      region: "領域を除いて検証",
    },
    byKernel: "カーネルを除く",
    byFamily: "系統を除く",
    byRow: "行を除く",
    provenance: "来歴",
    id: "モデル",
    when: "当てはめ",
    method: "手法",
    provider: "プロバイダ",
    response: "目的変数",
    version: "手法の改訂",
    validationJson: "検証の JSON",
  },
  ratio: {
    label: "予測 ÷ 実測、カーネルごとに 1 サンプル 1 本",
    ratio: "予測 ÷ 実測",
    measured: "実測",
    predicted: "予測",
    interval: "区間",
    none: "なし",
    negative: "負",
    everySample: (kernels) => `カーネル ${count(kernels)} 個の全サンプル`,
    equal: "予測 = 実測",
    impossible: "時間が 0 以下になることはありません。",
    reading:
      "線より上は長すぎる予測、下は短すぎる予測。網掛けは 25\u00a0% 以内。カーネル名の下は平均誤差。▼ は 0 以下（ありえない時間）、× は予測なし。クリックするとサンプルを表示します。",
    whiskers: (level) => `細い線は標準的な ${level} 区間。`,
  },
  coefficients: {
    title: "イベント 1 回のコスト",
    lead: (intercept) =>
      `予測 = 全カウンタが平均のとき ${intercept}、各カウンタについて平均を超えた分 × コストを加えます。`,
    costs: (intercept, exponent) =>
      `予測 = 起動ごとに ${intercept}、各カウンタについてコスト × 回数を加えます。` +
      (exponent === 1 ? "" : `合計は ${exponent} ノルムで、小さいものは大きいものに隠れます。`),
    waves: (intercept) =>
      `予測 = 起動ごとに ${intercept}、これにワープの待ち時間（ワークグループの波ごとに 1 回）とデバイスの稼働時間を合わせたものを加えます。小さいものは大きいものに隠れます。`,
    corrected: (intercept, trees) =>
      `予測 = コスト × 木 ${count(trees)} 本による補正。コスト = 起動ごとに ${intercept}、これにワープの待ち時間（ワークグループの波ごとに 1 回）とデバイスの稼働時間を合わせたものを加えます。小さいものは大きいものに隠れます。`,
    forest: (trees) =>
      `対数に当てはめた木 ${count(trees)} 本の平均です。カウンタごとのコストはありません。`,
    across:
      "別のデバイスのカウンタ（counted_on_time があればその時間も）からの予測です。コストは、ワークアイテム全体の仕事と、一つのワークアイテムが順に行う仕事のものです。",
    over: "次の 1 つあたり:",
    counter: "カウンタ",
    perEvent: "1 回あたり",
    perEventOn: { multiprocessors: "1 回あたり（1 ユニットで）", cores: "1 回あたり（1 コアで）" },
    place: (on, units) => {
      const has = `（${units === null ? "" : `このデバイスには ${units} 個。`}カウンタから分からなければ、時間を最もよく説明する数）`;
      return on === "cores"
        ? `コストは、1 つのコアがイベント 1 回にかける時間です。コアは同時に働くため、予測に加わるのは 1 回あたり、コスト ÷ 働いているコアの数${has}です。最も忙しいコアで数えたものだけは、そのまま加わります。`
        : `コストは、1 つのマルチプロセッサがイベント 1 回にかける時間です。マルチプロセッサは同時に働くため、予測に加わるのは 1 回あたり、コスト ÷ 働いているマルチプロセッサの数${has}で、より大きいものに隠れる分はさらに小さくなります。全体で共有するもの（L2 と DRAM）と、最も忙しいユニットで数えたものは、そのまま加わります。「次の 1 つあたり」とあるものは、1 つのワープが自分のイベント 1 回ごとに待つ時間です。`;
    },
    perDeviation: "標準偏差あたり",
    atMean: "標準的な起動での分",
    atMeanOfAll: "平均回数 × コスト（ユニット数で割る前）",
    all: (n) => `全 ${count(n)} 個を表示`,
    free: (n) => `係数 0 のもの ${count(n)} 個: それ自体のコストはありません。`,
    mean: "平均",
    negative:
      "負のコストは物理的ではありません。一緒に増えるカウンタの間でコストが分け合われています。",
    dropped: (n) => `使われなかったカウンタ ${count(n)} 個とその理由`,
  },
};
