/**
 * The page's state lives in its address, so that a link shows what its sender saw, and back works.
 * Links are ordinary ones; {@link follow} takes them without loading the dashboard again.
 */
/* eslint-disable svelte/prefer-svelte-reactivity -- parameters live for one call; `place` is reactive */
import { download } from "./download";
import { readerToken } from "./token.svelte";

/** The reader's preferences, with their keys in the browser's storage. */
const PREFERENCES = { language: "kerncast-language", theme: "kerncast-theme" } as const;
type Preference = keyof typeof PREFERENCES;

let place = $state.raw({ path: location.pathname, search: location.search });
addEventListener("popstate", show);
go(location.href, true);

function show() {
  place = { path: location.pathname, search: location.search };
}

/** The path's parts, decoded, reactive: "/models/7" → ["models", "7"]. */
export function path(): string[] {
  return place.path.split("/").filter(Boolean).map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The value of a query parameter, reactive. */
export function parameter(name: string): string | null {
  return new URLSearchParams(place.search).get(name);
}

/** All values of a query parameter, reactive. */
export function parameters(name: string): string[] {
  return new URLSearchParams(place.search).getAll(name);
}

export type Changes = Record<string, string | string[] | null>;

/** This page's address with some parameters changed; null removes one, a list repeats it. */
export function addressWith(changes: Changes): string {
  const next = new URLSearchParams(place.search);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const one of [value ?? []].flat()) next.append(name, one);
  }
  const search = next.toString();
  return place.path + (search && `?${search}`);
}

/** The address of a page: `page("models", id)` → "/models/ID". */
export function page(...parts: string[]): string {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

/** The preference in the address, else the stored one; reactive. */
export function preference(name: Preference): string | null {
  return parameter(name) ?? localStorage.getItem(PREFERENCES[name]);
}

/** Sets a preference for this page and later ones. */
export function prefer(name: Preference, value: string) {
  localStorage.setItem(PREFERENCES[name], value);
  go(addressWith({ [name]: value }), true);
}

/** Goes to an address of the dashboard; `replace` adds no step for the back button. */
export function go(href: string, replace = false) {
  const from = place.path;
  const next = new URL(href, location.href);
  for (const name of Object.keys(PREFERENCES) as Preference[]) {
    const value = preference(name);
    if (value !== null && !next.searchParams.has(name)) next.searchParams.set(name, value);
  }
  if (replace) history.replaceState(null, "", next);
  else history.pushState(null, "", next);
  show();
  if (place.path !== from) scrollTo(0, 0);
}

/** Paths that the server answers itself. */
const SERVERS = /^\/(v1|docs|openapi\.json|metrics|healthz|readyz)\b/;

/** For clicks anywhere on the page: follows a link of the dashboard in place. */
export function follow(event: MouseEvent) {
  const wantsNewTab = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
  if (wantsNewTab || event.defaultPrevented || !(event.target instanceof Element)) return;
  const link = event.target.closest<HTMLAnchorElement>("a[href]");
  if (!link || link.origin !== location.origin || link.hasAttribute("download")) return;
  if (readerToken() !== null && link.pathname.startsWith("/v1/")) {
    event.preventDefault();
    void download(link.href);
    return;
  }
  if (SERVERS.test(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
  if (link.hash) document.querySelector(link.hash)?.scrollIntoView();
}
