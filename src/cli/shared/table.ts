const GAP = '  ';

/** Rows in aligned columns below a header row. Nothing is truncated, because programs may read these lines. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((cells) => [...(cells[column] ?? '')].length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat(widths[column]! - [...cell].length))
      .join(GAP)
      .trimEnd();
  return [header, ...rows].map(line);
}
