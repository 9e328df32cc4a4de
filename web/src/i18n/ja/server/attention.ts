/** 要確認の項目の詳細。英語はサーバーの文をそのまま使う。 */
import type { Attention, Because, Uploads } from "../../../api/client";
import { count, multiple, percent, prefixed, times } from "../../../lib/format";
import { doubts, fitRefusal, heldBecause, rate } from "./reasons";

type Of<Kind extends Because["kind"]> = Extract<Because, { kind: Kind }>;

const UNSEEN: Record<Of<"error_rose">["left_out"], string> = {
  row: "カーネル",
  kernel: "カーネル",
  family: "系統",
  region: "領域",
};
const CEILINGS: Record<string, string> = {
  copy_bytes_per_s: "コピー",
  fp32_flop_per_s: "単精度",
  fp64_flop_per_s: "倍精度",
};

const instant = (text: string) =>
  new Intl.DateTimeFormat("ja-JP", { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(text),
  );
const bytes = (value: number) => prefixed(value, "B");

/** 前のチャンピオンの後に届いたサンプル。 */
function since(uploads: Uploads[] = []): string {
  if (uploads.length === 0) return "前のモデルの後に届いたサンプルはありません。";
  const all = uploads.map(({ agent, samples }) => `${agent} ${count(samples)} 件`);
  return `前のモデルの後に届いたサンプルは ${all.join("、")}です。`;
}

/** 文にしたもの。`device`: デバイスの番号から名前を得る。 */
export function because(
  { because: it }: Pick<Attention, "because">,
  device: (id: number) => string,
): string {
  /** どのカウンタから何を予測するモデルか。 */
  const models = ({ response, counted_on }: Of<"model_held"> | Of<"forecasts_moved">) => {
    const from = counted_on == null ? "" : `${device(counted_on)} のカウンタから`;
    return `${from}${response === "time" ? "時間" : response}を予測する`;
  };
  switch (it.kind) {
    case "agent_failing": {
      const { failed, of, error, refused } = it;
      return [
        failed > 0 && `ワークロード ${count(of)} 件中 ${count(failed)} 件が失敗しました。`,
        error != null && `「${error}」`,
        refused > 0 && `スプールのファイル ${count(refused)} 件が受け付けられませんでした。`,
      ]
        .filter(Boolean)
        .join("");
    }
    case "agent_silent":
      return `最後の連絡は ${instant(it.last_seen_at)} です。`;
    case "error_rose":
      return `未知の${UNSEEN[it.left_out]}の予測の倍率が、${it.before.toFixed(3)} から ${it.now.toFixed(3)} に上がりました。`;
    case "coverage_off":
      return `${percent(it.level)} 区間に、未知のカーネルの時間の ${percent(it.covered)} が入っています。`;
    case "no_model":
      return `すべての当てはめができませんでした。最新のものの理由: ${fitRefusal(it.why)}`;
    case "fits_pending": {
      const own = it.providers.length > 0 && `自身の ${it.providers.join("、")} のカウンタから`;
      const across = it.across > 0 && `他のデバイスのカウンタから ${count(it.across)} 件`;
      const what = [own, across].filter(Boolean).join("、");
      const until = it.first
        ? "終わるまではモデルがなく、どのサンプルも判定されていません。"
        : "終わると予測が変わりえます。";
      return `${instant(it.since)} から当てはめを待っています（${what}）。${until}`;
    }
    case "ceiling_beaten": {
      const [found, says] = [it.per_second, it.says].map((value) => rate(value, it.ceiling));
      return `${it.provider} のカウンタによると ${it.kernel} は ${found ?? ""} に達し、${CEILINGS[it.ceiling] ?? it.ceiling}の上限 ${says ?? ""} の ${times(it.per_second / it.says)} 倍です。この上限は、デバイスが混んでいるときに測られたのかもしれません。測り直してください（kerncast ceilings）。`;
    }
    case "job_failing":
      return `「${it.error}」${count(it.attempts)} 回試みて${it.given_up ? "打ち切りました" : "、また試みます"}。`;
    case "disk_low": {
      return [
        `${it.folder} のディスクの空きは ${bytes(it.free_bytes)} です。${bytes(it.full_bytes)} を下回ると何も保存しません。`,
        it.free_bytes < it.full_bytes &&
          "いまはアップロードを断っており、データはエージェントに残っています。",
      ]
        .filter(Boolean)
        .join("");
    }
    case "samples_quarantined": {
      const why = doubts(it.why);
      return it.samples === 1
        ? `サンプル 1 件を隔離しています。${why}`
        : `サンプル ${count(it.samples)} 件を隔離しています。最も多い理由: ${why}`;
    }
    case "model_held":
      return `${models(it)}新しいモデルが待っています。${heldBecause(it.why)}${since(it.uploads)}`;
    case "forecasts_moved": {
      const others =
        it.others > 0 ? `このデバイスの他のモデル ${count(it.others)} 個でも動きました。` : "";
      const [median, worst] = [it.median, it.worst].map((share) =>
        share < 10 ? percent(share) : `${multiple(share)} 倍`,
      );
      return `${instant(it.since)} から、${models(it)}モデルの既知のワークロードの予測が中央値で ${median ?? ""}、最大で ${worst ?? ""}（${it.kernel}）動いています。${since(it.uploads)}${others}`;
    }
  }
}
