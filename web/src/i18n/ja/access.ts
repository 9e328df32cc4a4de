/** 「アクセス」のページ: トークンと監査記録。 */
import { count } from "../../lib/format";
import type { access as English } from "../en/access";

export const access: typeof English = {
  access: {
    required: "このサーバーのデータを見るにはトークンが必要です",
    requiredText: "トークンは管理者が発行します。",
    give: "トークンを入力する",
    lead: {
      everybody:
        "このサーバーに接続できる人は誰でも閲覧できます。アップロードにはトークンが必要です。",
      token: "閲覧にもアップロードにもトークンが必要です。",
    },
    unknown: "サーバーの知らないトークンです",
    unknownText:
      "入力の誤りか、失効したトークンかもしれません。破棄してから、ここで別のトークンを入力するか、トークンなしで続けてください。トークンは管理者が発行します。",
    own: "あなたのトークン",
    ownLead: "このタブを閉じるまで保持されます。",
    token: "トークン",
    use: "使う",
    forget: "このトークンを破棄する",
    admins: "管理者のトークンを入力すると、ここでトークンを発行・一覧・失効できます。",
    roles: { reader: "閲覧者", agent: "エージェント", admin: "管理者" },
    may: {
      reader: "閲覧と予測ができます",
      agent: "そのエージェントが測ったものをアップロードできます",
      admin: "すべての操作ができます",
    },
    tokens: "トークン",
    name: "名前",
    role: "権限",
    agent: "エージェント",
    created: "発行",
    lastUsed: "最後の使用",
    never: "未使用",
    revoke: "失効させる",
    revokeIt: (name) => `トークン ${name} を失効させる`,
    sure: (name) => `トークン ${name} を失効させますか。元には戻せません。`,
    revoked: (when) => `${when}に失効`,
    newToken: "新しいトークン",
    purpose: "用途",
    agentName: "エージェントの名前（その KERNCAST_AGENT の名前）",
    make: "発行する",
    once: "今コピーしてください。後から読むことはできません。",
    onTheMachine: "エージェントのマシンで次を実行し、トークンを入力してください:",
  },
  audit: {
    title: "監査記録",
    when: "日時",
    who: "実行者",
    what: "操作",
    about: "対象",
    more: (n) => `最新の ${count(n)} 件です。すべては GET /v1/audit で得られます。`,
    actions: {
      reject_samples: "サンプルの却下",
      accept_samples: "サンプルの承認",
      restore_samples: "サンプルを元に戻す",
      accept_model: "モデルの承認",
      make_token: "トークンの発行",
      revoke_token: "トークンの失効",
    },
  },
};
