/** A figure's numbers as rows: its text alternative and its CSV. */
import { csvFormatRows } from "d3-dsv";

export interface Column<Row> {
  head: string;
  /** Unrounded, in base units; null is an empty cell. */
  value: (row: Row) => string | number | null;
  /** Formatted text; without it, the value itself. */
  text?: (row: Row) => string;
}

/** Spreadsheets execute cells that begin like a formula: an apostrophe prevents that. */
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
