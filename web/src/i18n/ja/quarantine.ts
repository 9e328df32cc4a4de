/** 「隔離」のページ。 */
import { count } from "../../lib/format";
import type { quarantine as English } from "../en/quarantine";

export const quarantine: typeof English = {
  quarantine: {
    lead: "同じワークロードのこれまでの時間やチャンピオンの予測から大きく外れたサンプルは、当てはめの前に隔離されます。保存され、一覧にも残ります。",
    admins: "「アクセス」のページで管理者のトークンを入力すると、ここで判断できます。",
    held: "保留中のモデル",
    noneHeld: "保留中のモデルはありません。",
    heldLead:
      "未知のカーネルでの誤差が前のモデルを大きく上回っています。新しいモデルを承認するか、原因のサンプルを却下するまで、前のモデルが予測します。",
    quarantined: "隔離中のサンプル",
    none: "隔離中のサンプルはありません。",
    quarantinedLead:
      "後の収集のたびに判定し直します。正当な変化は、もう一度測定されれば受け入れられます。",
    of: (n, agent, device) => `${device} での ${agent} のサンプル ${count(n)} 件`,
    device: "デバイス",
    sample: "サンプル",
    standing: "判定",
    stored: "保存",
    why: "理由",
    by: (name) => `（${name}）`,
    reason: "理由",
    reasonFor: (about) => `理由: ${about}`,
    choice: (what, about) => `${what}: ${about}`,
    accept: "承認する",
    reject: "却下する",
    restore: "元に戻す",
    decided: "管理者の判断",
    noneDecided: "管理者が却下または承認したサンプルはありません。",
    decidedLead:
      "何も削除されません。元に戻すと自動判定の状態に戻り、それが「正常」でなければ判定し直されます。",
    shownSamples: (n) => `表示中のサンプル ${count(n)} 件`,
    undo: "アップロードの取り消し",
    undoLead:
      "エージェント、トークン、デバイス、カーネル、時刻でサンプルを選びます。指定したすべてに当てはまるものが対象です。当てはめは自動でやり直されます。",
    choose: "サンプルを選ぶ",
    what: "操作",
    token: "トークンの番号",
    kernel: "カーネル",
    from: "保存時刻（以後）",
    before: "保存時刻（より前）",
    dryRun: "変更を確かめる",
    doIt: (what) => what,
    result: (n, dry) =>
      dry ? `サンプル ${count(n)} 件が変わります。` : `サンプル ${count(n)} 件を変えました。`,
  },
};
