import type { Cell, Line } from './lines';

/** A place where the value of a label can be. */
export interface LabelHit {
  readonly line: Line;
  /** The text before the label in its line. */
  readonly before: string;
  /** The text before the label in its cell. */
  readonly inCell: string;
  readonly label: string;
}

/** Parses the value at the beginning of a text; undefined when there is none. */
export type ParseValue<T> = (text: string) => T | undefined;

/** Only punctuation between a label and its value; a cell that contains nothing else is skipped. */
const SEPARATORS = /^[\s:.#|=]+/;
/** The same label in another language: "Rechnungsnummer / Invoice no." */
const TRANSLATION = /^\s*(?:[/|]\s*|\()\p{L}[\p{L}\s.-]{1,30}\)?\s*(?=[:#]|$)/u;
/** How far below its label a value can be, in heights of the label. */
const LINES_BELOW = 2.6;

/**
 * The values that follow a label: in its own cell, in the next cell of its line, or below it. `label` must be global and match the
 * whole label. A part of a longer word does not count ("Datum" in "Rechnungsdatum").
 */
export function labeled<T>(
  lines: readonly Line[],
  label: RegExp,
  parse: ParseValue<T>,
  accept: (hit: LabelHit) => boolean = () => true,
): T[] {
  return lines.flatMap((line, at) =>
    line.cells.flatMap((cell, index) =>
      [...cell.text.matchAll(label)].flatMap((match) => {
        const before = cell.text.slice(0, match.index);
        const after = cell.text.slice(match.index + match[0].length);
        if (/[\p{L}\p{N}]-?$/u.test(before) || /^\p{L}/u.test(after)) return [];
        const preceding = [...line.cells.slice(0, index).map(({ text }) => text), before].join(' ');
        if (!accept({ line, before: preceding, inCell: before, label: match[0] })) return [];
        const value = valueAfter(lines, at, index, { before, after }, parse);
        return value === undefined ? [] : [value];
      }),
    ),
  );
}

function valueAfter<T>(
  lines: readonly Line[],
  at: number,
  index: number,
  { before, after }: { before: string; after: string },
  parse: ParseValue<T>,
): T | undefined {
  const rest = after.replace(TRANSLATION, '').replace(SEPARATORS, '');
  if (rest !== '') return parse(rest);
  const line = lines[at]!;
  const right = line.cells.slice(index + 1).find(({ text }) => text.replace(SEPARATORS, '') !== '');
  const beside = right && parse(right.text.replace(SEPARATORS, ''));
  if (beside !== undefined || before.trim() !== '') return beside;
  const below = cellBelow(lines, at, line.cells[index]!);
  return below && (parse(below.text) ?? parse(wrapped(lines, at, below)));
}

/** The text of a cell with two lines. */
function wrapped(lines: readonly Line[], at: number, first: Cell): string {
  const row = lines.findIndex(({ cells }, index) => index > at && cells.includes(first));
  const second = cellBelow(lines, row, first);
  return second ? `${first.text} ${second.text}` : first.text;
}

/**
 * The nearest cell below, in the same column. Where the last column is a box, its label may be at the left and its value at the
 * right.
 */
export function cellBelow(lines: readonly Line[], at: number, cell: Cell): Cell | undefined {
  const from = lines[at]!;
  const isLast = from.cells.at(-1) === cell;
  for (const line of lines.slice(at + 1)) {
    if (line.page !== from.page || line.y - from.y > LINES_BELOW * Math.max(cell.size, line.size)) return undefined;
    const found = line.cells.find(({ left, right }) => left < cell.right && right > cell.left);
    const last = isLast ? line.cells.at(-1) : undefined;
    if (found ?? (last && last.left >= cell.right)) return found ?? last;
  }
  return undefined;
}
