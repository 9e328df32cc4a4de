/* How soon the dashboard's first page can be used, with a cold cache.
   Called by bench/grown.py with the address of a server and how many devices it has. */
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../web/package.json", import.meta.url))("@playwright/test");

const [SERVER, DEVICES] = process.argv.slice(2);
const REPEATS = 9;

/** Milliseconds from the navigation's start until every device is in the table, and what came over the wire. */
async function open(browser) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  let scripts = 0;
  page.on("requestfinished", async (request) => {
    if (request.url().endsWith(".js")) scripts += (await request.sizes()).responseBodySize;
  });
  await page.addInitScript((devices) => {
    new MutationObserver((_, observer) => {
      if (document.querySelectorAll("main tbody tr th a[href^='/devices/']").length < devices) return;
      // Once more: drawn.
      requestAnimationFrame(() => (window.usable ??= performance.now()));
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  }, Number(DEVICES));
  await page.goto(SERVER);
  const usable = await (await page.waitForFunction(() => window.usable)).jsonValue();
  await page.waitForLoadState("load");
  await context.close();
  return { usable, scripts };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const asRoot = process.getuid() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: asRoot });
await open(browser);
const visits = [];
for (let repeat = 0; repeat < REPEATS; repeat++) visits.push(await open(browser));
await browser.close();
const times = visits.map(({ usable }) => usable);
console.log("the dashboard's first page, cold cache");
console.log(`  ${median(times).toFixed(0)} ms from the navigation to the table of all devices, at most ${Math.max(...times).toFixed(0)} (target: below 1,000)`);
console.log(`  ${(median(visits.map(({ scripts }) => scripts)) / 1000).toFixed(0)} kB of JavaScript, gzipped (target: at most 100)`);
