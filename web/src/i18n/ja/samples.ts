/** 「サンプル」のページ: 一覧、個々のサンプル、比較。 */
import { count } from "../../lib/format";
import type { samples as English } from "../en/samples";

export const samples: typeof English = {
  sample: {
    on: "測定デバイス:",
    flags: "疑わしい点",
    forecast: "このカウンタから予測",
    elsewhere: "別のデバイスでの時間を予測",
    times: "時間",
    measurement: "測定の条件",
    median: "中央値",
    fastest: "最短",
    variation: "変動",
    repetitions: "繰り返し",
    repetition: "回目",
    batch: "1 回あたりの起動数",
    settled: "中央値の収束",
    warm: "ウォーム",
    cold: "コールド",
    state: "キャッシュ",
    warmCold:
      "ウォーム: 直前の起動でバッファがキャッシュに残った状態。コールド: キャッシュを上書きした後。",
    agent: "エージェント",
    measured: "測定日時",
    origin: "由来",
    driver: "ドライバ",
    platform: "プラットフォーム",
    options: "ビルドオプション",
    source: "ソース",
    clock: "クロック",
    memoryClock: "メモリクロック",
    temperature: "温度",
    power: "電力",
    throttled: "抑制の理由",
    counters: "カウンタ",
    search: "カウンタを検索",
    noMatch: "該当するカウンタはありません。",
    zeros: (n) => `0 のカウンタ ${count(n)} 個`,
  },
  list: {
    lead: "測定の一覧: デバイスでのワークロードの時間と計数の結果です。",
    find: "検索",
    provider: "計数",
    matches: (shown, loaded, all) =>
      all
        ? `${count(loaded)} 件中 ${count(shown)} 件`
        : `最新 ${count(loaded)} 件中 ${count(shown)} 件。検索と並べ替えは読み込んだものが対象です`,
    more: (n) => `さらに ${count(n)} 件を読み込む`,
  },
  compare: {
    title: "2 つのサンプルの比較",
    short: "比較",
    with: "比較する…",
    both: "2 つを比較",
    chooseTwo: (n) => `比較する 2 つを選んでください（${n}／2）`,
    chooseIt: (what) => `${what} を比較`,
    swap: "A と B を入れ替える",
    others: "別のサンプル",
    same: "時間は 0.5\u00a0% 以内で同じです。",
    verdict: (factor, faster) => `B の${faster ? "速さ" : "時間"}は A の ${factor} です。`,
    noneDiffers: "カウンタに違いはありません。",
    more: (n) => `差がより小さいカウンタ ${count(n)} 個`,
    equal: (n) => `等しいカウンタ ${count(n)} 個`,
  },
  light: {
    title: "上限までの余地",
    counted: {
      ncu: "バイトはキャッシュを空にして数えた DRAM の転送量（ncu）で、時間はキャッシュに載った状態のものです。L1、L2、ローカルメモリの上限は含みません。",
      oclgrind: "バイトは読み書きの要求量で、一部にはキャッシュが応えます（Oclgrind）。",
    },
    gain: (ceiling, least, factor) =>
      `最も近い上限は「${ceiling}」です。上限に達すれば ${least}、高速化率は最大で ${factor} です。`,
    above: (ceiling) =>
      `上限「${ceiling}」より速い値です。上限が低すぎるか、数えた転送の一部にキャッシュが応えています。`,
    ceiling: "上限",
    timeAtCeiling: "上限での時間",
    share: "上限に対する割合",
    maxSpeedup: "最大の高速化率",
  },
};
