/** 「エージェントとジョブ」のページ。 */
import type { agents as English } from "../en/agents";

export const agents: typeof English = {
  agents: {
    agents: "エージェント",
    none: "まだどのエージェントもアップロードしていません。OpenCL デバイスのあるマシンで実行してください:",
    next: (name) => `${name} の次のエージェント`,
    all: "すべてのエージェント",
    version: "バージョン",
    seen: "最終確認",
    state: "状態",
    states: {
      well: "正常",
      failing: "失敗",
      silent: "2 日間連絡なし",
      unreported: "報告なし",
      shipped: "Kerncast に同梱",
      retired: "引退",
    },
    upload: "最新のアップロード",
    spool: "スプール内の待ち",
    spoolSince: "そのうち最古のもの",
    rejected: "サーバーが拒否",
    run: "最後の実行",
    ended: "終了",
    measured: "測定したワークロード",
    failed: "失敗",
    skipped: "未実行",
    jobs: "当てはめジョブ",
    noJobs: "待っているジョブはありません。すべてのモデルは最新です。",
    requested: "依頼",
    attempts: "失敗回数",
    lastError: "最後のエラー",
    givenUp: "次のアップロードまで再試行しません。",
  },
};
