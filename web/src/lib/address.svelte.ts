/** The page's state lives in its address, so that a link shows what its sender saw, and back works. */
/* eslint-disable svelte/prefer-svelte-reactivity -- parameters live for one call; `search` is reactive */

let search = $state(location.search);
addEventListener("popstate", show);

function show() {
  search = location.search;
}

/** The value of a query parameter, reactive. */
export function parameter(name: string): string | null {
  return new URLSearchParams(search).get(name);
}

/**
 * Attributes for an `<a>` that changes some parameters and keeps the rest; null removes one. The
 * page then shows the element with the id `goal`, where one is given.
 */
export function to(changes: Record<string, string | null>, goal = "") {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const href = `${location.pathname}?${next.toString()}${goal && `#${goal}`}`;
  return { href, onclick: (event: MouseEvent) => follow(event, href, goal) };
}

function follow(event: MouseEvent, href: string, goal: string) {
  const wantsNewTab = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
  if (wantsNewTab) return;
  event.preventDefault();
  history.pushState(null, "", href);
  show();
  document.getElementById(goal)?.scrollIntoView({ behavior: "smooth" });
}
