// Checks web/package-lock.json, called by scripts/dependencies: every package has a hash, comes from the registry, has a
// known licence, and runs no program when it is installed (except those in SCRIPTS).

import { readFileSync } from "node:fs";

const LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "(MIT OR CC0-1.0)",
  // Tools of the build; nothing of them is in what is served.
  "MPL-2.0",
  "Python-2.0",
]);
const SCRIPTS = new Set(["fsevents"]);

const { lockfileVersion, packages } = JSON.parse(
  readFileSync(new URL("../web/package-lock.json", import.meta.url), "utf8"),
);
const wrong = [];
if (lockfileVersion !== 3) wrong.push(`the lock file has version ${lockfileVersion}, not 3`);
const all = Object.entries(packages).filter(([path]) => path !== "");
for (const [path, { integrity, resolved, license, hasInstallScript, dev }] of all) {
  const name = path.split("node_modules/").at(-1);
  const say = (what) => wrong.push(`${name}: ${what}`);
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? "")) say(`no SHA-512, but ${integrity}`);
  // Without one it comes from the registry that npm is set up for.
  if (resolved !== undefined) say(`comes from ${resolved}`);
  if (!LICENCES.has(license)) say(`the licence ${license} is none of those known`);
  if (!dev && license === "MPL-2.0") say("MPL-2.0, and not of the build alone");
  if (hasInstallScript && !SCRIPTS.has(name)) say("runs a program when it is installed");
}
if (all.length === 0) wrong.push("there is no package");
for (const line of wrong) console.error(`web/package-lock.json: ${line}`);
if (wrong.length > 0) process.exit(1);
console.log(`${all.length} npm packages ok`);
