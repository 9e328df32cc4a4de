/** Changes on the server, told by server-sent events, so that nobody has to load a page again. */
import type { Event as Change } from "../api/client";
import { eventData } from "./serverEvents";
import { authorization } from "../api/token";
import { readerToken } from "./token.svelte";

type Kind = Change["kind"];

/** Many changes come at once when a batch is uploaded; one look at the server serves them all. */
const PAUSE_MS = 500;
/** Before connecting again. */
const AWAY_MS = 3_000;

/** Grows whenever something of the kind may have changed. */
const versions = $state<Record<Kind, number>>({
  samples: 0,
  ceilings: 0,
  model: 0,
  job: 0,
  agent: 0,
  access: 0,
  missed: 0,
});
let listening = $state(false);
let waiting: Kind[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
// The first message after connecting says that something may have been missed before it: at first
// that is everything, and all is being asked for already.
let first = true;

/** Whether the server tells of changes; otherwise it has to be asked. */
export function live(): boolean {
  return listening;
}

/** To be read where something is asked of the server that such changes make old. */
export function watchChanges(...kinds: Kind[]): number {
  return kinds.reduce((sum, kind) => sum + versions[kind], versions.missed);
}

/** Listens until what it returns is called; to be called anew for another token. */
export function listen(): () => void {
  const end = new AbortController();
  // An EventSource would connect again by itself, but can't show a token.
  void readerToken();
  void follow(end.signal);
  return () => end.abort();
}

async function follow(signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      await readEvents(signal);
    } catch {
      // It is away, or refuses: asking for anything else says so.
    }
    if (!signal.aborted) listening = false;
    await new Promise((later) => setTimeout(later, AWAY_MS));
  }
}

async function readEvents(signal: AbortSignal) {
  const headers = { accept: "text/event-stream", ...authorization() };
  const answer = await fetch("/v1/events", { headers, signal });
  if (!answer.ok || answer.body === null) return;
  listening = true;
  for await (const data of eventData(answer.body)) {
    const { kind } = JSON.parse(data) as Change;
    if (!first) waiting.push(kind);
    first = false;
    clearTimeout(timer);
    timer = setTimeout(publish, PAUSE_MS);
  }
}

function publish() {
  for (const kind of waiting) versions[kind]++;
  waiting = [];
}
