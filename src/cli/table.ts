/** Rows of cells as lines with aligned columns; those named in `right` have numbers in them and end where their title ends. */
export function formatTable(rows: readonly (readonly string[])[], right: readonly number[] = []): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => (right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
