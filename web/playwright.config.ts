import { defineConfig } from "@playwright/test";

const server = process.env["KERNCAST_URL"];
if (server === undefined) {
  throw new Error(
    "KERNCAST_URL is not set: the address of a kerncast-server that holds samples and models, " +
      "as in KERNCAST_URL=http://127.0.0.1:7310 npm run test:browser",
  );
}

/** Chromium refuses its sandbox to root. */
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig({
  testDir: "tests",
  forbidOnly: true,
  workers: 1,
  // A loaded machine with two cores is slow, not wrong.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    baseURL: server,
    viewport: { width: 1440, height: 900 },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      // Debian's Chromium would draw by a GPU in software, which takes more than the tests.
      args: [
        ...asRoot,
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-gpu",
      ],
    },
  },
});
