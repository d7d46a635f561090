import type { PageRuns, TextRun } from './text-runs';

/** Text without a wide gap: a paragraph's line, a label, or the content of a table's cell. */
export interface Cell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly size: number;
}

/** The cells with one baseline, from left to right. */
export interface Line {
  readonly page: number;
  /** The baseline as a share of the page's height: 0 is the top, 1 the bottom. */
  readonly at: number;
  readonly y: number;
  readonly size: number;
  readonly cells: readonly Cell[];
}

/** Text on a baseline that differs by less than this share of its height is on the same line. */
const BASELINE_TOLERANCE = 0.35;
/** Gaps as shares of the font's height: a narrower one is no space (kerning), a wider one separates cells. */
const WORD_GAP = 0.13;
const CELL_GAP = 0.95;
/** No label or value is in a longer text. */
const LONGEST_CELL = 400;

/** The lines of all pages, from top to bottom. The order of drawing in the PDF has no effect. */
export function linesOf(pages: readonly PageRuns[]): Line[] {
  return pages.flatMap(({ runs, height }, page) =>
    group(runs).map((members) => {
      const cells = cellsOf(members);
      const { y } = members[0]!;
      return { page, at: y / height, y, size: Math.max(...cells.map(({ size }) => size)), cells };
    }),
  );
}

function group(runs: readonly TextRun[]): TextRun[][] {
  const lines: TextRun[][] = [];
  for (const run of runs.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1);
    const first = line?.[0];
    if (first && run.y - first.y <= BASELINE_TOLERANCE * Math.min(first.size, run.size)) line.push(run);
    else lines.push([run]);
  }
  return lines;
}

function cellsOf(line: readonly TextRun[]): Cell[] {
  const cells: Cell[] = [];
  let previous: TextRun | undefined;
  for (const run of line.toSorted((a, b) => a.left - b.left)) {
    if (previous && isOverprint(previous, run)) continue;
    const cell = cells.at(-1);
    const gap = cell ? (run.left - cell.right) / Math.min(cell.size, run.size) : Infinity;
    const isSameFont = gap < WORD_GAP || (cell !== undefined && isSimilar(cell.size, run.size));
    if (cell && gap < CELL_GAP && isSameFont && cell.text.length < LONGEST_CELL)
      cells[cells.length - 1] = join(cell, run, gap);
    else cells.push({ ...run });
    previous = run;
  }
  return cells.map((cell) => ({ ...cell, text: cell.text.replace(/ +/g, ' ').trim() }));
}

/** A title beside other text is a cell of its own, however narrow the gap is. */
function isSimilar(one: number, other: number): boolean {
  return Math.max(one, other) < 1.3 * Math.min(one, other);
}

/** Bold text is sometimes made by drawing it twice with a small offset. */
function isOverprint(one: TextRun, other: TextRun): boolean {
  return one.text === other.text && Math.abs(one.left - other.left) < 0.1 * one.size;
}

function join(cell: Cell, run: TextRun, gap: number): Cell {
  const separator = gap > WORD_GAP ? ' ' : '';
  const right = Math.max(cell.right, run.right);
  return { text: cell.text + separator + run.text, left: cell.left, right, size: Math.max(cell.size, run.size) };
}
