/** Changes on the server, told by server-sent events, so that nobody has to load a page again. */
import type { Event as Change } from "../api/client";

type Kind = Change["kind"];

/** Many changes come at once when a batch is uploaded; one look at the server serves them all. */
const PAUSE_MS = 500;

/** Grows whenever something of the kind may have changed. */
const seen = $state<Record<Kind, number>>({
  samples: 0,
  ceilings: 0,
  model: 0,
  job: 0,
  agent: 0,
  missed: 0,
});
let listening = $state(false);
let waiting: Kind[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the server tells of changes; otherwise it has to be asked. */
export function live(): boolean {
  return listening;
}

/** To be read where something is asked of the server that such changes make old. */
export function changes(...kinds: Kind[]): number {
  return kinds.reduce((sum, kind) => sum + seen[kind], seen.missed);
}

/** Listens for as long as the page is open; the browser connects again by itself. */
export function listen() {
  const events = new EventSource("/v1/events");
  // The first message after connecting says that something may have been missed before it: at first
  // that is everything, and all is being asked for already.
  let first = true;
  events.onopen = () => (listening = true);
  events.onerror = () => (listening = false);
  events.onmessage = ({ data }: MessageEvent<string>) => {
    const { kind } = JSON.parse(data) as Change;
    if (!first) waiting.push(kind);
    first = false;
    clearTimeout(timer);
    timer = setTimeout(tell, PAUSE_MS);
  };
}

function tell() {
  for (const kind of waiting) seen[kind]++;
  waiting = [];
}
