/** サーバーが断った理由。訳のない文は、英語であることを断ってそのまま示す。 */
import type { FieldProblem, Problem } from "../../../api/client";

type Translation = [english: RegExp, japanese: string];

/** 必要な値。 */
const EXPECTED: Translation[] = [
  [/^a UUID$/, "UUID"],
  [/^a whole number( \(1, not 1\.0\))?$/, "整数"],
  [/^a whole number from (\S+) to (\S+)( \(1, not 1\.0\))?$/, "$1 から $2 までの整数"],
  [/^a number$/, "数"],
  [/^a number, 0 or above$/, "0 以上の数"],
  [/^a number above 0 and below ([^\s,]+)(, such as .*)?$/, "0 より大きく $1 より小さい数"],
  [/^a number from (\S+) to (\S+)$/, "$1 から $2 までの数"],
  [/^seconds above 0 and below (\S+)$/, "0 より大きく $1 より小さい秒数"],
  [/^a multiple of (\S+) above 0, at most (\S+)$/, "0 より大きく $2 以下の、$1 の倍数"],
  [/^at most (\S+), which the device has$/, "デバイスにある $1 以下の値"],
  [/^a value; the field is missing$/, "値（項目がありません）"],
  [/^true or false$/, "true か false"],
  [/^an object$/, "オブジェクト"],
  [/^an array$/, "配列"],
  [/^a string$/, "文字列"],
  [/^not empty$/, "空でない値"],
  [/^one of: (.+)$/, "$1 のいずれか"],
  [/^1 to (\S+) sets × devices$/, "1 から $1 までの「カウンタの組 × デバイス」"],
  [/^at least one of the model's counters: (.+)$/, "モデルの少なくとも 1 つのカウンタ（$1）"],
  [/^counters of a provider with a model: (.+)$/, "モデルのあるプロバイダのカウンタ（$1）"],
  [/^one of the devices that have models: ([^(]+?)( \(.*)?$/, "モデルのあるデバイス（$1）"],
  [/^a model's id; .*$/, "モデルの ID"],
  [/^a device's id; .*$/, "デバイスの ID"],
  [/^work_groups × work_group_size, which is (\S+)$/, "work_groups × work_group_size の $1"],
  [/^counted_on beside it: .*$/, "counted_on（計数したデバイス）の指定"],
  [/^time_s beside it: .*$/, "time_s（計数したデバイスでの時間）の指定"],
  [/^words that say why, for those who read them later$/, "後で読む人のための理由"],
];

/** 実際の値。 */
const FOUND: Translation[] = [
  [/^empty$/, "空"],
  [/^absent$/, "なし"],
  [/^no counter set$/, "カウンタの組なし"],
  [/^(\d+) × (\d+) predictions$/, "予測 $1 × $2 件"],
];

/** 項目についてではないもの。 */
const DETAILS: Translation[] = [
  [/^there is no sample (.+)$/, "サンプル $1 はありません。"],
  [/^there is no model (.+)$/, "モデル $1 はありません。"],
  [/^there is no device (.+)$/, "デバイス $1 はありません。"],
  [/^there is no token (.+)$/, "トークン $1 はありません。"],
  [/^there are no samples of a kernel (.+)$/, "カーネル $1 のサンプルはありません。"],
  [/^there is nothing at (.+); \/docs shows what there is$/, "$1 には何もありません。"],
  [
    /^the server does not know this token, or it was revoked; .*$/,
    "サーバーの知らないトークンか、失効したトークンです。「アクセス」のページで破棄し、別のトークンを入力してください。",
  ],
  [/^this needs a token: .*$/, "トークンが必要です。「アクセス」のページで入力してください。"],
  [/^this needs an admin's token\b.*$/, "管理者のトークンが必要です。"],
  [
    /^too many requests .*; try again in (\d+) s$/,
    "要求が多すぎます。$1 秒後に再試行してください。",
  ],
  [/^the file is empty: .*$/, "ファイルが空です。プロファイラが書き込んだか確かめてください。"],
  [
    /^unknown format, first line `(.*)`: expected .*$/,
    "1 行目が「$1」のファイルの形式は不明です。対応するのは、ncu、nvprof、rocprof、rocprofv3、nsys、oneprof、unitrace、Oclgrind の出力か、自作の表です。",
  ],
];

function translated(text: string, all: Translation[]): string | null {
  const found = all.find(([english]) => english.test(text));
  return found ? text.replace(...found) : null;
}

const found = (value: string) => translated(value, FOUND) ?? value;

function needed(expected: string): string {
  const words = translated(expected, EXPECTED);
  return words === null ? `必要なもの（英語）: ${expected}` : `必要なもの: ${words}`;
}

/** 項目の横に示すもの。 */
export function complaint({ value, expected }: FieldProblem): string {
  return (value == null ? "" : `「${found(value)}」は使えません。`) + needed(expected);
}

/** 断った理由。項目についてなら、最初の項目のもの。 */
export function refusal({ title, detail, errors = [] }: Problem): string {
  const [first] = errors;
  const text = detail ?? title;
  // 文が項目の問題そのものであるときだけ、項目から作り直せる。
  if (first && text.endsWith(`expected ${first.expected}`)) {
    const field = first.field === "" ? "本体" : first.field;
    const value = first.value == null ? "" : `の値「${found(first.value)}」`;
    return `${field} ${value}は使えません。${needed(first.expected)}`;
  }
  return translated(text, DETAILS) ?? `サーバーの説明（英語）: ${text}`;
}
