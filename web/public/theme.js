// The reader's choice, as src/lib/theme.svelte.ts keeps it; read before anything is drawn, so that no page
// flashes. A file of its own: the server lets no script stand in a page (server/src/door/headers.rs).
document.documentElement.dataset.theme = localStorage.getItem("kerncast-theme") ?? "system";
