/** What counters count, as the server tells it; each provider is asked for once. */
import { api, body } from "../api/client";

const asked = new Map<string, Promise<Map<string, string>>>();

/** A provider's counters with words and unit, by name; those that the server does not know are absent. */
export function described(provider: string): Promise<Map<string, string>> {
  const known = asked.get(provider);
  if (known) return known;
  const query = { provider, limit: 1000 };
  const answer = body(api.GET("/v1/counters", { params: { query } })).then(
    ({ items }) =>
      new Map(
        items.flatMap(({ name, description, unit }) =>
          description == null ? [] : [[name, `${description} (${unit ?? ""})`]],
        ),
      ),
  );
  asked.set(provider, answer);
  answer.catch(() => asked.delete(provider));
  return answer;
}
