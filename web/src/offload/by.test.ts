import { describe, expect, it } from "vitest";
import { en } from "../i18n/en";
import { whoDid } from "./by";

describe("who did a stream", () => {
  it("is a way by its name, with the devices beside it as they are", () => {
    expect(whoDid("file", en.offload)).toBe("the device, files");
    expect(whoDid("file, with NVIDIA H200", en.offload)).toBe(
      "the device, files, with NVIDIA H200",
    );
    expect(whoDid("anything", en.offload)).toBe("anything");
  });
});
