/** Kernels by family, as lists show them. */
import { groups } from "d3-array";

/** Families by name, kernels without a family last; kernels keep their order. */
export function byFamily<Kernel extends { family?: string | null }>(
  kernels: Kernel[],
): [family: string, kernels: Kernel[]][] {
  const last = (family: string) => (family === "" ? 1 : 0);
  return groups(kernels, ({ family }) => family ?? "").sort(
    ([a], [b]) => last(a) - last(b) || a.localeCompare(b, "en"),
  );
}
