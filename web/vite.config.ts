import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** While the dashboard is developed (`npm run dev`), the server answers here. */
const server = process.env["KERNCAST_URL"] ?? "http://127.0.0.1:7310";

export default defineConfig({
  plugins: [svelte()],
  server: { proxy: { "/v1": server, "/docs": server } },
  // They are pure functions: none needs an environment of its own.
  test: { include: ["src/**/*.test.ts"], pool: "threads", isolate: false },
});
