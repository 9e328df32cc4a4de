import { expect, test } from "vitest";
import { titleOf } from "./launchFile";

test("the title is the launch file's own, above its tables", () => {
  const launch = 'title = "A \\"fast\\" product"\nfamily = "dense"\n\n[[sizes]]\ntitle = "no"\n';
  expect(titleOf({ "launch.toml": launch })).toBe('A "fast" product');
  expect(titleOf({ "launch.toml": '[[sizes]]\ntitle = "no"\n' })).toBeNull();
  expect(titleOf({ "kernel.cl": "" })).toBeNull();
});
