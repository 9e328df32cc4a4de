// Takes the pictures of docs/img anew: `KERNCAST_URL=http://127.0.0.1:7310 npm run pictures`, of a server with the
// data that come with Kerncast, all fitted. `-- models agents`: of these alone. English, light, 1280 pixels wide.
import { fileURLToPath } from "node:url";
import process from "node:process";
import { chromium } from "@playwright/test";

const server = process.env["KERNCAST_URL"];
if (server === undefined)
  throw new Error("KERNCAST_URL is not set: the address of a kerncast-server");
const wantedNames = process.argv.slice(2);
const folder = fileURLToPath(new URL("../docs/img/", import.meta.url));

const get = async (path) => (await fetch(server + path)).json();
/** Listings, whichever way they come. */
const items = async (path) => {
  const answer = await get(path);
  return answer.items ?? answer;
};

/** The pages in the pictures: a matrix product on an H200, and the models of that device. */
async function pages() {
  const [devices, models, pairs] = await Promise.all([
    items("/v1/devices?limit=1000"),
    items("/v1/models?own=true&limit=1000"),
    items("/v1/pairs"),
  ]);
  const device = devices.find(({ name }) => name.includes("H200"))?.id;
  if (device === undefined) throw new Error("the server knows no H200: import the files of data/");
  const champion = models.find(
    ({ champion, specification }) =>
      champion &&
      specification.device === device &&
      specification.provider === "ncu" &&
      (specification.response ?? "time") === "time",
  );
  const all = await items(`/v1/samples?device=${device}&kernel=matmul_float&limit=1000`);
  const sampleOf = (variant) =>
    all.find(
      ({ workload, readings }) =>
        readings?.ncu?.counters && workload.variant === variant && workload.parameters.n === 1024,
    )?.id;
  const sample = sampleOf("global");
  const elsewhere = pairs.filter(
    ({ counted_on, provider }) => counted_on === device && provider === "oclgrind",
  );
  const across = elsewhere[0]?.models.find(({ champion }) => champion)?.model;
  const others = elsewhere.slice(1).map((pair) => `&device=${pair.device}`);
  return {
    dashboard: ["/", 1140],
    "dashboard-models": ["/models", 900],
    "dashboard-model": [`/models/${champion?.id}`, 1500],
    "dashboard-across": ["/across", 620],
    "dashboard-forecast-start": ["/forecast", 540],
    "dashboard-forecast": [`/forecast?sample=${sample}`, 1500],
    "dashboard-forecast-across": [
      `/forecast?model=${across}&best=1&sample=${sample}${others.join("")}`,
      1300,
    ],
    "dashboard-gpus": ["/gpus", 900],
    "dashboard-offload": ["/offload", 1000],
    "dashboard-kernel": ["/kernels/matmul_float", 1460],
    "dashboard-samples": ["/samples?kernel=matmul_float", 760],
    "dashboard-compare": [`/compare?a=${sample}&b=${sampleOf("local")}`, 1100],
    "dashboard-sample": [`/samples/${sample}`, 1100],
    "dashboard-device": [`/devices/${device}`, 1500],
    "dashboard-agents": ["/agents", 760],
    "dashboard-access": ["/access", 900],
  };
}

const root = process.getuid?.() === 0;
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: root ? ["--no-sandbox"] : [],
});
for (const [name, [path, height]] of Object.entries(await pages())) {
  if (wantedNames.length > 0 && !wantedNames.some((one) => name.endsWith(one))) continue;
  const page = await browser.newPage({
    viewport: { width: 1280, height },
    colorScheme: "light",
    locale: "en-GB",
  });
  await page.goto(server + path);
  await page.locator("h1").first().waitFor({ state: "attached" });
  if (path.includes("sample=")) await page.locator("output .time").first().waitFor();
  // Until nothing has waited for a while: what is asked after an answer comes a moment later.
  for (let calm = 0; calm < 5; calm++) {
    await page.waitForTimeout(700);
    if ((await page.locator("main :is([aria-busy='true'], .pulse)").count()) > 0) calm = -1;
  }
  await page.screenshot({ path: `${folder}${name}.png` });
  await page.close();
  console.log(`${name}.png`);
}
await browser.close();
