import { expect, test } from "vitest";
import { shortName, shortNames } from "./devices";

test("short names are what people say, as on the command line", () => {
  for (const [name, short] of [
    ["NVIDIA H200", "H200"],
    ["NVIDIA GeForce RTX 4090", "GeForce RTX 4090"],
    ["pthread-skylake-avx512-AMD EPYC", "EPYC"],
    ["AMD EPYC 9B14 96-Core Processor", "EPYC 9B14"],
    ["cpu-skylake-avx512-Intel(R) Xeon(R) Processor", "Xeon"],
    ["Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", "Xeon Platinum 8481C"],
    ["gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-"],
    ["Tesla V100-SXM2-16GB", "Tesla V100-SXM2-16GB"],
    ["NVIDIA", "NVIDIA"],
  ] as const) {
    expect(shortName(name)).toBe(short);
  }
});

test("the same hardware by two platforms has both platforms' names", () => {
  const devices = [
    { id: 1, vendor: "NVIDIA Corporation", name: "NVIDIA H200" },
    { id: 2, vendor: "The pocl project", name: "pthread-skylake-avx512-AMD EPYC" },
    { id: 3, vendor: "Intel(R) Corporation", name: "AMD EPYC" },
  ];
  expect([...shortNames(devices).values()]).toEqual(["H200", "EPYC (PoCL)", "EPYC (Intel)"]);
});

test("what no short name tells apart keeps its whole name, and its number", () => {
  const vendor = "The pocl project";
  const devices = [
    { id: 1, vendor, name: "pthread-haswell-AMD EPYC" },
    { id: 2, vendor, name: "cpu-haswell-AMD EPYC" },
  ];
  expect([...shortNames(devices).values()]).toEqual([
    "pthread-haswell-AMD EPYC (1)",
    "cpu-haswell-AMD EPYC (2)",
  ]);
});
