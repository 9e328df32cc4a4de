// Prints Lighthouse's scores of every page, 0 to 100: `KERNCAST_URL=http://127.0.0.1:7310 npm run lighthouse`.
// Of a desktop; `-- --mobile` of a slow phone. `-- models agents`: of these pages alone. Scores of
// performance are of this machine and what else runs on it: the median of three.
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

/** Not among the dashboard's dependencies: it would bring two hundred packages to every build. */
const LIGHTHOUSE = "lighthouse@12.8.2";
const RUNS = 3;

const server = process.env["KERNCAST_URL"];
if (server === undefined)
  throw new Error("KERNCAST_URL is not set: the address of a kerncast-server");
const args = process.argv.slice(2);
const mobile = args.includes("--mobile");
const wanted = args.filter((arg) => !arg.startsWith("--"));

const get = async (path) => (await fetch(server + path)).json();

/** Every page with something on it. */
async function pages() {
  const [models, pairs, samples, devices] = await Promise.all([
    get("/v1/models?own=true&limit=1000"),
    get("/v1/pairs"),
    get("/v1/samples?limit=2"),
    get("/v1/devices?limit=1"),
  ]);
  const champion = models.items.find((model) => model.champion && model.kernels > 1);
  const [a, b] = samples.items;
  const pair = pairs.items[0];
  return {
    overview: "/",
    models: "/models",
    model: champion && `/models/${champion.id}`,
    across: "/across",
    pair: pair && `/across/${pair.counted_on}/${pair.device}`,
    forecast: "/forecast",
    "forecast of a sample": a && `/forecast?sample=${a.id}`,
    kernels: "/kernels",
    kernel: a && `/kernels/${a.workload.kernel}`,
    samples: "/samples",
    sample: a && `/samples/${a.id}`,
    compare: b && `/compare?a=${a.id}&b=${b.id}`,
    devices: "/devices",
    device: devices.items[0] && `/devices/${devices.items[0].id}`,
    agents: "/agents",
    quarantine: "/quarantine",
    access: "/access",
  };
}

async function scores(path) {
  const output = join(tmpdir(), `kerncast-lighthouse-${process.pid}.json`);
  const asRoot = process.getuid?.() === 0 ? " --no-sandbox" : "";
  await promisify(execFile)(
    "npx",
    [
      "--yes",
      LIGHTHOUSE,
      server + path,
      "--quiet",
      "--output=json",
      `--output-path=${output}`,
      "--only-categories=performance,accessibility",
      `--chrome-flags=--headless=new${asRoot}`,
      ...(mobile ? [] : ["--preset=desktop"]),
    ],
    { env: { ...process.env, CHROME_PATH: process.env["CHROMIUM"] ?? "/usr/bin/chromium" } },
  );
  const { categories, audits } = JSON.parse(await readFile(output, "utf8"));
  await rm(output);
  const failed = categories.accessibility.auditRefs
    .map(({ id }) => audits[id])
    .filter(({ score }) => score === 0)
    .map(({ id }) => id);
  const paint = audits["largest-contentful-paint"].numericValue;
  const points = ({ score }) => Math.round(score * 100);
  const { performance, accessibility } = categories;
  return { performance: points(performance), accessibility: points(accessibility), paint, failed };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

console.log("performance  accessibility  largest paint  page");
for (const [name, path] of Object.entries(await pages())) {
  if (path === undefined || (wanted.length > 0 && !wanted.includes(name))) continue;
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push(await scores(path));
  const of = (key) => median(runs.map((run) => run[key]));
  const failed = [...new Set(runs.flatMap((run) => run.failed))].join(", ");
  console.log(
    of("performance").toString().padStart(11),
    of("accessibility").toString().padStart(14),
    `${Math.round(of("paint"))} ms`.padStart(14),
    ` ${name}${failed && `: ${failed}`}`,
  );
}
