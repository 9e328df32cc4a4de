/** All measured times of a kernel: on one device, or on all. */
import { api, body, type KernelTime } from "../api/client";
import { allPages } from "./pages";

export function kernelTimes(name: string, device: number | null): Promise<KernelTime[]> {
  return allPages((cursor) => {
    const query = { limit: 1000, ...(device !== null && { device }), ...cursor };
    return body(api.GET("/v1/kernels/{name}/times", { params: { path: { name }, query } }));
  });
}
