/** Reads launch files. */

/** The title that a source's launch file gives the kernel; null where it has none. */
export function titleOf(files: Record<string, string>): string | null {
  // A title stands above all tables, in one line and in double quotes (docs/kernels.md).
  const [top = ""] = (files["launch.toml"] ?? "").split(/^\[/m);
  return /^title\s*=\s*"((?:[^"\\]|\\.)*)"/m.exec(top)?.[1]?.replaceAll('\\"', '"') ?? null;
}
