// The choice, as src/lib/theme.svelte.ts reads it; before anything is drawn, so that no page flashes. A file of its
// own: the server lets no script stand in a page (server/src/http/admission/headers.rs).
document.documentElement.dataset.theme =
  new URLSearchParams(location.search).get("theme") ??
  localStorage.getItem("kerncast-theme") ??
  "system";
