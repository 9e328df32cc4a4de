/** A figure's numbers as rows: its text alternative and its CSV. */
import { csvFormatRows } from "d3-dsv";

export interface Column<Row> {
  head: string;
  /** Unrounded, in base units; null is an empty cell. */
  value: (row: Row) => string | number | null;
  /** For people; the value as it is where absent. */
  text?: (row: Row) => string;
}

/** Spreadsheets run a cell that begins like a formula, unless it stands behind an apostrophe. */
function plain(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}

export function csv<Row>(columns: Column<Row>[], rows: Row[]): string {
  const cell = (value: string | number | null) =>
    typeof value === "string" ? plain(value) : (value?.toString() ?? "");
  return csvFormatRows([
    columns.map(({ head }) => head),
    ...rows.map((row) => columns.map(({ value }) => cell(value(row)))),
  ]);
}

export function cellText<Row>({ value, text }: Column<Row>, row: Row): string {
  if (text) return text(row);
  return value(row)?.toString() ?? "—";
}
