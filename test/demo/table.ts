import { paint } from './display';

const GAP = '  ';
const NARROWEST = 12;

/**
 * Rows in columns below their headings. `flexible` is the column that is truncated when the rows are too wide;
 * `right` are the right-aligned columns.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { width, flexible, right }: { width: number; flexible: number; right: readonly number[] },
): string[] {
  const widths = headings.map((heading, column) => {
    return Math.max(...[heading, ...rows.map((row) => row[column] ?? '')].map((cell) => length(cell)));
  });
  const total = widths.reduce((sum, each) => sum + each, 0) + GAP.length * (widths.length - 1);
  widths[flexible] = Math.max(NARROWEST, widths[flexible]! - Math.max(0, total - width));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => aligned(cell, widths[column]!, right.includes(column)))
      .join(GAP)
      .trimEnd();
  return [paint('bold', line(headings)), ...rows.map(line)];
}

function aligned(text: string, width: number, right: boolean): string {
  const letters = [...text.normalize('NFC')];
  const shown = letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : letters.join('');
  const space = ' '.repeat(width - length(shown));
  return right ? space + shown : shown + space;
}

function length(text: string): number {
  return [...text.normalize('NFC')].length;
}
