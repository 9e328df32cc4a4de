/* How soon the dashboard's first page can be used: ten devices, 62 kernels, 100,000 samples, cold cache.
   The samples are those of data/, measured again every night by devices that are faster or slower.
   Called by scripts/bench with the server's binary and a folder. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const { chromium } = createRequire(new URL("../web/package.json", import.meta.url))("@playwright/test");

const [SERVER, FOLDER] = process.argv.slice(2);
const DEVICES = 10;
const SAMPLES = 100_000;
/** Sizes of each kernel and variant: the first ones. */
const SIZES = 2;
const BATCH = 1000;
const REPEATS = 9;
const DAY_MS = 86_400_000;

const port = await new Promise((found) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => found(port));
  });
});
const URL_ = `http://127.0.0.1:${port}`;

async function ask(path, token, body) {
  const post = { method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } };
  const answer = await fetch(URL_ + path, body && { ...post, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** What one shipped device sent: its samples, thinned, and its ceilings. */
function shipped(file) {
  const text = execFileSync("zstd", ["-dc", file], { maxBuffer: 1 << 28, encoding: "utf8" });
  const all = text.trim().split("\n").map((line) => JSON.parse(line));
  const sizes = new Map();
  const samples = all.filter(({ workload }) => {
    if (!workload || workload.kernel === "local_memory") return false;
    const key = `${workload.kernel} ${workload.variant}`;
    sizes.set(key, (sizes.get(key) ?? 0) + 1);
    return sizes.get(key) <= SIZES;
  });
  return { samples, ceilings: all.find(({ ceilings }) => ceilings) };
}

/** Version 7: in the order of time. */
function id(at, number) {
  const hex = (value, digits) => value.toString(16).padStart(digits, "0");
  const [time, tail] = [hex(at, 12), hex(number, 12)];
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`;
}

/** A pseudo-random number from 0 to 1, the same in every run (mulberry32). */
let state = 1;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

async function fill(token) {
  const sources = readdirSync("data")
    .filter((name) => name.endsWith(".zst"))
    .sort()
    .map((name) => shipped(`data/${name}`));
  const devices = Array.from({ length: DEVICES }, (_, number) => {
    const { samples, ceilings } = sources[number % sources.length];
    const name = `${samples[0].device.name} ${number + 1}`;
    return { samples, ceilings, slower: 1 + 0.3 * number, device: { ...samples[0].device, name }, agent: `lab-${number + 1}` };
  });
  const nights = Math.ceil(SAMPLES / devices.reduce((sum, { samples }) => sum + samples.length, 0));
  let [number, batch] = [0, []];
  const send = async () => {
    const { rejected, verdicts } = await ask("/v1/samples", token, { samples: batch });
    if (rejected > 0) throw new Error(JSON.stringify(verdicts.find(({ errors }) => errors)));
    batch = [];
  };
  for (let night = nights; night > 0; night--) {
    for (const { samples, slower, device, agent } of devices) {
      for (const sample of samples) {
        const at = Date.now() - night * DAY_MS + number;
        const drift = slower * (0.97 + 0.06 * random());
        const scaled = (times) => times.map((seconds) => seconds * drift);
        const { repetitions_s, cold_repetitions_s = [] } = sample.times;
        batch.push({
          ...sample,
          id: id(at, number++),
          measured_at: new Date(at).toISOString(),
          device,
          agent: { ...sample.agent, name: agent },
          times: {
            ...sample.times,
            repetitions_s: scaled(repetitions_s.slice(0, 20)),
            cold_repetitions_s: scaled(cold_repetitions_s),
          },
          origin: "measured",
        });
        if (batch.length === BATCH) await send();
      }
    }
  }
  if (batch.length > 0) await send();
  for (const [place, { ceilings, device, agent }] of devices.entries()) {
    const own = { ...ceilings, id: id(Date.now(), place), device, agent: { ...ceilings.agent, name: agent } };
    await ask("/v1/ceilings", token, { ...own, origin: "measured" });
  }
  return number;
}

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
  }, DEVICES);
  await page.goto(URL_);
  const usable = await (await page.waitForFunction(() => window.usable)).jsonValue();
  await page.waitForLoadState("load");
  await context.close();
  return { usable, scripts };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function answers() {
  for (const path of ["/v1/overview", "/v1/models?limit=1000", "/v1/devices?limit=1000", "/v1/pairs", "/v1/samples?limit=100",
    "/v1/samples?kernel=matmul_float&limit=100", "/v1/counters?limit=1000", "/v1/kernels?limit=1000",
    "/v1/kernels/matmul_float/times?limit=1000", "/v1/kernels/matmul_float/history?device=1&limit=1000",
    "/v1/devices/1/roofline?limit=1000", "/v1/agents?limit=1000"]) {
    const times = [];
    for (let repeat = 0; repeat < 5; repeat++) {
      const start = performance.now();
      await ask(path);
      times.push(performance.now() - start);
    }
    console.log(`  ${median(times).toFixed(0).padStart(5)} ms  ${path}`);
  }
}

const data = `${FOLDER}/dashboard`;
rmSync(data, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const server = spawn(SERVER, ["--listen", `127.0.0.1:${port}`, "--data", data], { stdio: "ignore" });
const ended = new Promise((done) => server.once("exit", done));
try {
  while (!(await fetch(`${URL_}/readyz`).then(({ ok }) => ok, () => false))) await sleep(100);
  const stored = await fill(readFileSync(`${data}/token`, "utf8").trim());
  while ((await ask("/v1/jobs")).pending > 0) await sleep(1000);
  const models = (await ask("/v1/models?limit=1000")).items.length;
  const asRoot = process.getuid() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: asRoot });
  await open(browser);
  const seen = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) seen.push(await open(browser));
  await browser.close();
  const times = seen.map(({ usable }) => usable);
  console.log(`the dashboard's first page: ${DEVICES} devices, ${stored} samples, ${models} models or more, cold cache`);
  console.log(`  ${median(times).toFixed(0)} ms from the navigation to the table of all devices, at most ${Math.max(...times).toFixed(0)} (target: below 1,000)`);
  console.log(`  ${(median(seen.map(({ scripts }) => scripts)) / 1000).toFixed(0)} kB of JavaScript, gzipped (target: at most 100)`);
  console.log("answers of the server:");
  await answers();
} finally {
  server.kill("SIGTERM");
  await ended;
}
