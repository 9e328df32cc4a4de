/** Descriptions of counters from the server, requested once per provider. */
import { api, body } from "../api/client";
import type { Language } from "./language.svelte";

type CounterDescription = { name: string; description: string; unit: string }[];

const requests = new Map<string, Promise<CounterDescription>>();

/** The counters that have a description. */
function fetchCounters(provider: string): Promise<CounterDescription> {
  const cached = requests.get(provider);
  if (cached) return cached;
  const query = { provider, limit: 1000 };
  const answer = body(api.GET("/v1/counters", { params: { query } })).then(({ items }) =>
    items.flatMap(({ name, description, unit }) =>
      description == null ? [] : [{ name, description, unit: unit ?? "" }],
    ),
  );
  requests.set(provider, answer);
  answer.catch(() => requests.delete(provider));
  return answer;
}

/** Descriptions with units by counter's name, without counters that the server does not know. */
export async function counterWords(
  provider: string,
  language: Language,
): Promise<Map<string, string>> {
  if (language === "en") {
    const counters = await fetchCounters(provider);
    return new Map(
      counters.map(({ name, description, unit }) => [name, `${description} (${unit})`]),
    );
  }
  const [counters, { COUNTERS, UNITS, inJapanese }] = await Promise.all([
    fetchCounters(provider),
    import("./ja/server/counters"),
  ]);
  const cached = COUNTERS[provider] ?? {};
  return new Map(
    counters.map(({ name, description, unit: english }) => {
      const [words, unit] = [cached[name] ?? inJapanese(description), UNITS[english] ?? english];
      return [name, words.includes(unit) ? words : `${words}（${unit}）`];
    }),
  );
}
