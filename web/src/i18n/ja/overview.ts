/** 「概要」のページ。 */
import { count, multiple } from "../../lib/format";
import type { overview as English } from "../en/overview";

export const overview: typeof English = {
  overview: {
    worstDevice: "予測が最も外れるデバイス",
    worstKernel: "そこで最も外れるカーネル",
    worstCounter: "その予測で最も大きな割合を占めるカウンタ",
    ofLongest: (share, off) =>
      `最も長いワークロードの予測の ${share}。予測は実測の ${multiple(off)} 倍`,
    off: (error) => `平均誤差 ${error}`,
    worstRule:
      "各デバイスで未知のカーネルの平均誤差が最小のチャンピオンを選び、その中で誤差が最大のものです。",
    trust: "どのデバイスをどこまで信用できるか",
    reach: (level, factor) => `${level} は ${factor} 以内`,
    errors: "未知のカーネルでの誤差",
    lead: "各デバイスのチャンピオンの平均誤差を、計数したプロバイダごとに示します。予測の前に、そのカーネルの全バリアント・全サイズを学習から除きます。",
    none: "計数なし",
    noFit: "モデルなし",
    launch: "launch: サイズだけからの予測。他の計数がないときだけ答えます",
    unvalidated: "未検証",
    change: (before, rose) => `${rose ? "悪化" : "改善"}（前回 ${before}）`,
    worst: "最悪:",
    scale: "誤差:",
    pending: "終わるまで、以下の内容と予測は変わることがあります。",
    attention: "要確認",
    devices: (devices) => `（${devices}）`,
    calm: "✓ 確認が必要なものはありません。",
    moreAttention: (n) => `ほか ${count(n)} 件`,
  },
  attention: {
    agent_failing: "エージェントの失敗",
    agent_silent: "エージェントからの連絡なし",
    error_rose: "チャンピオンの悪化",
    coverage_off: "予測区間の被覆率のずれ",
    no_model: "当てはめられたモデルなし",
    fits_pending: "当てはめ待ち",
    ceiling_beaten: "上限値を超えるワークロード",
    job_failing: "当てはめジョブの失敗",
    disk_low: "サーバーのディスク残量不足",
    samples_quarantined: "隔離中のサンプル",
    model_held: "管理者の承認を待つ新チャンピオン",
    forecasts_moved: "予測値が動いた",
  },
};
