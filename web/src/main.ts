import { mount } from "svelte";
import App from "./App.svelte";
import { ready } from "./i18n/language.svelte";
import { path } from "./lib/address.svelte";
import { MISSING, PAGES } from "./pages";
import "./tokens.css";
import "./base.css";

// Loads while the language does.
void (PAGES[path()[0] ?? ""] ?? MISSING)().catch(() => undefined);
const target = document.getElementById("app");
void ready.then(() => target && mount(App, { target }));
