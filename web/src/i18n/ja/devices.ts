/** 「デバイス」のページ: 一覧、上限、ルーフライン、ローカルメモリ。 */
import type { devices as English } from "../en/devices";

export const devices: typeof English = {
  device: {
    device: "デバイス",
    lead: "測定で得た各デバイスの上限と、測定の量です。",
    missing: "このデバイスはありません",
    kinds: { cpu: "CPU", gpu: "GPU", accelerator: "アクセラレータ" },
    shipped: "同梱",
    shippedWords: "別の場所での測定: Kerncast に同梱",
    measuredOn: "測定",
    last: "最新のサンプル",
    computeUnits: "演算ユニット",
    globalMemory: "グローバルメモリ",
    champions: "チャンピオン:",
    ceilingsTitle: "上限",
    noCeilings: "未測定です。エージェントで測れます:",
    doubtful: "疑わしい",
    beaten: (found, ceiling, says, more) =>
      ` は ${found} に達し、${ceiling}の上限 ${says} の ${more} 倍です。`,
    beatenBy: (provider) => `（${provider} による計数）`,
    beatenLead:
      "上限を超えるワークロードがあるため、上限が低く測られています。デバイスが混んでいたのかもしれません。測り直すまで、上限に対する割合は高すぎます。",
    measureAgain: "測り直す",
    ceilings: {
      copy_bytes_per_s: "コピー",
      local_bytes_per_s: "ローカルメモリ",
      fp32_flop_per_s: "単精度",
      fp64_flop_per_s: "倍精度",
      int32_op_per_s: "32 ビット整数",
      host_to_device_bytes_per_s: "デバイスへ",
      device_to_host_bytes_per_s: "デバイスから",
      launch_latency_s: "起動",
    },
  },
  roofline: {
    title: "ルーフライン",
    lead: "各カーネルの最も長いワークロード。横軸は 1 バイトあたりの浮動小数点演算、縦軸は 1 秒あたりの演算。斜線はコピーの帯域、水平線は測定した演算性能。",
    counted: {
      ncu: "バイトはキャッシュを空にして数えた DRAM の転送量（ncu）ですが、時間はキャッシュに載った状態で測っています。バッファが L2 に収まるカーネルは斜線の上に出ることがあります。",
      oclgrind:
        "バイトは読み書きの要求量で一部はキャッシュが応え、ベクトル演算は 1 回と数えます（Oclgrind）。斜線の上に出ることがあります。",
    },
    intensity: "1 バイトあたりの演算",
    rate: "1 秒あたりの演算",
    precision: "精度",
    none: "ルーフラインには浮動小数点演算と DRAM 転送のカウンタが必要ですが、このデバイスでは計数されていません（ncu と Oclgrind で計数できます）。",
  },
  local: {
    title: "ローカルメモリの読み出し",
    lead: "w ワープが i 回ずつ読み、c 個のワークアイテムが同じバンクに集まるときの値と、当てはめた直線。",
    cycles: "サイクル",
    measured: "実測",
    line: "当てはめた直線",
    formula: (text) => `${text}。`,
    dashed: (from, least, off, constant) =>
      `i·w·c が ${from} より小さいところ（破線）では当てはまりません。${least} では実測値の ${off} 倍になります。時間の最小二乗法では長い読み出しに合わせて直線が決まり、残る定数 ${constant} が短い読み出しから大きく外れるためです。両対数の図では、定数のある直線は曲線になります。`,
  },
};
