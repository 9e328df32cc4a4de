/** 「GPU 比較」のページ。 */
import type { gpus as English } from "../en/gpus";

export const gpus: typeof English = {
  gpus: {
    title: "どの GPU？",
    lead: (counted) =>
      `ここでまだ測定されていない GPU での所要時間です。測定済みの GPU のうち最も近いもののモデルに各 GPU のデータシートを与え、${counted} のカウンタから予測します。`,
    none: "モデルのある NVIDIA GPU がまだありません。",
    workloads: "ワークロード",
    without: (name) => `${name} を外す`,
    ranking: "速い順",
    reading:
      "速度は、計数した GPU での測定時間 ÷ この GPU の予測時間を、ワークロードについて幾何平均したものです。信頼度は最も低い予測のものです。アーキテクチャが異なる GPU では、唯一の検証での誤差が ×1.59 だったため「低」になります。エネルギーは予測時間 × データシートの電力です。実際の電力がそこまで上がることは少ないものの、時間が予測より長いことはあります。",
    speed: "速度",
    measured: "測定済み",
    energy: "エネルギー（目安）",
    facts: "データシート",
    factsOf: (of) =>
      `${of.architecture} · ${of.multiprocessors} × ${(of.clock_mhz / 1000).toFixed(2)} GHz · ${of.dram_gb_per_s.toFixed(0)} GB/s · ${of.watts.toFixed(0)} W`,
    noInterval: "区間なし",
  },
};
