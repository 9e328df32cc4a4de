/** 「オフロード」のページ。 */
import type { offload as English } from "../en/offload";

export const offload: typeof English = {
  offload: {
    title: "デバイスに渡す価値はあるか",
    lead: "ホストのメモリにあるデータについて、往復の転送を含めたデバイスの時間を、そのマシンの 1 コアおよび全コアと比べます。",
    question: "処理の内容",
    none: "ストリームを測定したデバイスはまだありません",
    how: "デバイスのあるマシンで次を実行すると、データの往復の速さとホスト自身の速さを測定します。",
    command: "測定して送信",
    device: "デバイス",
    work: "処理",
    works: {
      transform: "transform: 各要素 k · x",
      sine: "transform: 各要素 sin² + cos²",
      reduce: "reduce: 総和",
      scan: "scan: 累積和",
      sort: "sort: 整列",
      scatter: "scatter: ランダムな位置へ",
    },
    type: "要素",
    size: "配列の大きさ",
    amount: "大きさ",
    unit: "単位",
    memory: "使うデバイスメモリ (GiB)",
    most: "4 分の 3",
    who: {
      device: "デバイス",
      device_pinned: "デバイス（ページロックメモリ）",
      one_core: "1 コア",
      all_cores: "全コア",
    },
    fastest: "最速",
    paysVerdict: (device: string, times: string) =>
      `${device} に渡しましょう: ホスト（1 コアと全コアの速いほう）の ${times} 倍の速さです`,
    hostVerdict: (who: string, times: string) =>
      `${who}に任せましょう: デバイスの ${times} 倍の速さです`,
    certainty: {
      certain: "時間が区間のどこにあっても成り立ちます。",
      doubtful: "ただし区間が重なっており、逆かもしれません。",
      unchecked: "ただし、この長さの予測の誤差は確かめられていません。",
    },
    warm: "2 回目以降の呼び出しの時間で、往復の転送を含みます。",
    between: (low: string, high: string) => `${low} ～ ${high}`,
    unchecked: "区間なし",
    asMeasured: (device: string, memory: string, threads: string) =>
      `${device}（メモリ ${memory} を使用）と ${threads} コア。速度の測定日:`,
    sizesTitle: "大きさごとの時間",
    time: "時間",
    thisSize: "この大きさ",
    fasterFrom: (than: string, bytes: string) => `${bytes} 以上では、${than}より速くなります。`,
    neverFaster: (than: string) => `どの大きさでも${than}より速くなりません。`,
    changesTitle: "答えを変えうるもの",
    boundBy: {
      staging:
        "デバイスの時間で最も割合が大きいのは、ページロックメモリへコピーするホストのスレッドです。ページロックメモリの配列なら不要です。",
      unstaging:
        "デバイスの時間で最も割合が大きいのは、ページロックメモリからコピーするホストのスレッドです。ページロックメモリの配列なら不要です。",
      to_device: "デバイスの時間で最も割合が大きいのは、往路の転送です。より速いバスで変わります。",
      from_device:
        "デバイスの時間で最も割合が大きいのは、復路の転送です。より速いバスで変わります。",
      device:
        "デバイスの時間で最も割合が大きいのは、デバイス自身の処理です。より速いデバイスで変わります。",
      fixed:
        "デバイスの時間で最も割合が大きいのは、どんなに短くても呼び出しごとにかかる時間です。より長い配列にするか、一度にまとめて渡すことでのみ変わります。",
    },
    pinned: (time: string, pays: boolean, pinning: string) =>
      `ページロックメモリの配列ならデバイスは ${time} で、全コアに${pays ? "勝ちます" : "及びません"}。ページロックには一度だけ ${pinning} かかります。`,
    moreMemory: (time: string) => `全体が一度に入るデバイスメモリがあれば ${time} です。`,
    start: (time: string, calls: string | null) =>
      `最初の呼び出しは、プログラムとメモリのために ${time} 長くかかります。${calls === null ? "" : `それを含めても、${calls === "1" ? "最初の呼び出しから" : `${calls} 回以上の呼び出しで`}得になります。`}`,
    unknownStart:
      "最初の呼び出しがどれだけ長くかかるかは測定されていません。kerncast offload … --measure で測定できます。",
    checksTitle: "このような予測の成績",
    checksLead:
      "速度の測定後に、別の長さの配列を予測してから計測した結果です。各経路の最も長い検査は予測の補正に使うため、その当たり外れは示しません。",
    by: "実行者",
    ways: {
      staged: "デバイス（通常のメモリ）",
      pinned: "デバイス（ページロックメモリ）",
      file: "デバイス（ファイル）",
      mapped: "デバイス（ホストのメモリ上）",
      "one core": "1 コア",
      "all cores": "全コア",
    },
    passes: "複数回の往復",
    forecast: "予測",
    measured: "実測",
    ratio: "予測 ÷ 実測",
    first: "最初の呼び出し",
    usedForScaling: "補正に使用",
  },
};
