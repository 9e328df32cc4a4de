/** Devices' short names, by the rules of the command line (collector/src/device.rs). */
import { group } from "d3-array";

interface Named {
  id: number;
  name: string;
  vendor: string;
}

/** Words of marketing names that tell no device from another. */
const FILLERS = ["NVIDIA", "AMD", "Intel", "Processor", "CPU", "GPU"];

/** "NVIDIA H200" → "H200", "pthread-skylake-avx512-AMD EPYC" → "EPYC". A name of nothing else stays what it is. */
export function shortName(name: string): string {
  const words = name
    .replaceAll(/\((?:R|TM)\)/g, " ")
    // What PoCL puts before the maker.
    .replace(/^(?:pthread|cpu)-\S*-/, "")
    .replace(/ @.*/, "")
    .split(/\s+/);
  const kept = words.filter(
    (word) => word !== "" && !FILLERS.includes(word) && !word.endsWith("-Core"),
  );
  return kept.join(" ") || name;
}

/** "EPYC (PoCL)" where the same hardware is there twice; whole names where that tells nothing either. */
export function shortNames(devices: Named[]): Map<number, string> {
  const names = new Map(devices.map(({ id, name }) => [id, shortName(name)]));
  for (const [short, same] of group(devices, ({ name }) => shortName(name))) {
    if (same.length < 2) continue;
    const long = same.map((one) => [one.id, `${short} (${platform(one.vendor)})`] as const);
    const tell = new Set(long.map(([, name]) => name)).size === same.length;
    for (const [id, name] of long) names.set(id, tell ? name : whole(same, id));
  }
  return names;
}

const whole = (same: Named[], id: number) =>
  `${same.find((one) => one.id === id)?.name ?? ""} (${id.toString()})`;

/** "The pocl project" → "PoCL", "Intel(R) Corporation" → "Intel". */
function platform(vendor: string): string {
  if (/pocl/i.test(vendor)) return "PoCL";
  if (/advanced micro devices/i.test(vendor)) return "AMD";
  return vendor.replaceAll(/\((?:R|TM)\)/g, "").split(/[\s,]+/)[0] ?? vendor;
}
