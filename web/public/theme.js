// Sets the theme (src/lib/theme.svelte.ts) before anything is drawn, so that no page flashes. It is a file because the
// server allows no script within a page (server/src/http/admission/headers.rs).
document.documentElement.dataset.theme =
  new URLSearchParams(location.search).get("theme") ??
  localStorage.getItem("kerncast-theme") ??
  "system";
