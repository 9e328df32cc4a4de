/** 複数のページで使う言葉。 */
import { count } from "../../lib/format";
import type { common as English } from "../en/common";

export const common: typeof English = {
  skip: "本文へ",
  loading: "読み込み中…",
  all: "すべて",
  copy: "コピー",
  copied: "コピーしました",
  command: "コマンド",
  yesNo: (yes) => (yes ? "はい" : "いいえ"),
  of: (part, whole) => `${whole} 件中 ${part} 件`,
  samples: (n) => `サンプル ${count(n)} 件`,
  samplesOfKernels: (samples, kernels) =>
    `${count(kernels)} カーネル、サンプル ${count(samples)} 件`,
  origins: { measured: "測定", imported: "取り込み", shipped: "Kerncast に同梱" },
  standings: {
    unjudged: "未判定",
    sound: "正常",
    quarantined: "隔離中",
    rejected: "却下",
    accepted: "承認",
  },
  flags: {
    throttled: "デバイスのクロックが下がっていたため、時間は疑わしい値です。",
    shared: "他のプロセスがデバイスを使っていたため、時間は疑わしい値です。",
    outliers: "繰り返しの中に外れ値があるため、時間は疑わしい値です。",
  },
  providers: {
    analysis: "実行せずソースから",
    launch: "起動のサイズ",
    ncu: "NVIDIA のハードウェアによる計数",
    oclgrind: "シミュレーションでの命令数",
    rocprofv3: "AMD のハードウェアによる計数",
  },
  flagNames: { throttled: "クロック低下", shared: "他のプロセス", outliers: "外れ値" },
  scopes: {
    full: "起動全体を計数しました。",
    first_and_last_group: "最初と最後のワークグループを計数し、全体に換算しました。",
    sampled_groups: "一部のワークグループを計数し、全体に換算しました。",
    reduced_size: "小さなサイズで計数しました。",
  },
  missing: {
    title: "このページはありません",
    text: "アドレスが途中で切れているかもしれません。",
  },
  trouble: {
    retry: "今すぐ再試行",
    notShown: "表示できません",
    noAnswer: "サーバーが応答しません。",
    reload:
      "ページを読み込めませんでした。サーバーが新しくなった可能性があります。再読み込みしてください。",
    server: "サーバーがエラーを返しました",
    serverText: "詳しくはサーバーのログを見てください。数秒ごとに再試行します。",
    noAnswerTitle: "サーバーが応答しません",
    noAnswerText:
      "kerncast-server は動いていますか。このマシンから接続できますか。数秒ごとに再試行します。",
  },
  empty: {
    fitting: "最初のモデルを当てはめています",
    fittingText: (n) => `サンプルが ${count(n)} 件届きました。モデルはでき次第ここに現れます。`,
    noModel: "サンプルはありますが、モデルはまだありません",
    noModelText: (n) =>
      `サンプルが ${count(n)} 件届きましたが、当てはめは行われていません。モデルにはカウンタ付きのサンプルが必要です。もう一度スイートを実行し、計数を断ったプロバイダがないか表を確かめてください。`,
    noSamples: "サンプルはまだありません",
    noSamplesText:
      "OpenCL デバイスのあるマシンでスイートを実行してください。時間とカウンタを測ってこのサーバーに送り、モデルがここに現れます。",
    whichDevices: "デバイスの一覧:",
  },
  figure: {
    numbers: "数値の表",
    saveSvg: (label) => `SVG で保存: ${label}`,
    saveCsv: (label) => `CSV で保存: ${label}`,
  },
};
