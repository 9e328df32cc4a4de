/** Changes on the server, received as server-sent events, so that pages update by themselves. */
import type { Event as Change } from "../api/client";
import { eventData } from "./serverEvents";
import { authorization } from "../api/token";
import { readerToken } from "./token.svelte";

type Kind = Change["kind"];

/** An upload causes many changes at once: they are collected for this long. */
const PAUSE_MS = 500;
/** Pause before reconnecting. */
const AWAY_MS = 3_000;

/** A version for each kind, which grows with every change. */
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

/** Whether events arrive; otherwise pages must poll. */
export function live(): boolean {
  return listening;
}

/** Call it in a reactive request to repeat the request after changes of these kinds. */
export function watchChanges(...kinds: Kind[]): number {
  return kinds.reduce((sum, kind) => sum + versions[kind], versions.missed);
}

/** Listens until the returned function is called. Call it again for another token. */
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
      // Not reported here: other requests show that the server is away or refuses.
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
