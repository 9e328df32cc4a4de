/** 見出しの行とその検索。 */
import { count } from "../../lib/format";
import type { navigation as English } from "../en/navigation";

export const navigation: typeof English = {
  nav: {
    label: "ページ",
    language: "言語",
    theme: "配色",
    settings: "設定",
    themes: { system: "システムに合わせる", light: "ライト", dark: "ダーク" },
    fitting: (n) => `${count(n)} 件を当てはめ中…`,
    fits: (n) => `${count(n)} 件を当てはめ中`,
    pages: {
      "": "概要",
      models: "モデル",
      across: "デバイス間",
      forecast: "予測",
      gpus: "GPU 比較",
      offload: "オフロード",
      kernels: "カーネル",
      samples: "サンプル",
      devices: "デバイス",
      agents: "エージェントとジョブ",
      quarantine: "隔離",
      access: "アクセス",
    },
  },
  search: {
    title: "検索",
    placeholder: "カーネル、デバイス、モデル、サンプル…",
    results: "検索結果",
    none: "該当するものはありません。",
    kinds: {
      page: "ページ",
      kernel: "カーネル",
      device: "デバイス",
      model: "モデル",
      sample: "サンプル",
    },
  },
};
