export type Row = Record<string, string | number>

/** The columns of a table are those of its first row. */
export function columns(rows: Row[]): string[] {
  return rows.length > 0 ? Object.keys(rows[0]) : []
}

/** Rows as text in columns, with a head. Columns of numbers are aligned to the right. */
export function renderTable(rows: Row[]): string {
  const names = columns(rows)
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name]).length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd()
  const body = rows.map((row) => line(names.map((name) => String(row[name]))))
  return [line(names), line(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}
