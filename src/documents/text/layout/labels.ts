import type { Cell, Line } from './lines';

/** A place where the value of a label can be. */
export interface LabelHit {
  readonly line: Line;
  /** The text before the label in its line. */
  readonly before: string;
  /** The text before the label in its cell. */
  readonly inCell: string;
  readonly label: string;
  /** The line of the value. */
  readonly valueLine: Line;
}

/** Parses the value at the beginning of a text; undefined when there is none. */
export type ParseValue<T> = (text: string) => T | undefined;

/** Only punctuation between a label and its value; a cell that contains nothing else is skipped. */
const SEPARATORS = /^[\s:.#|=]+/;
/** The same label in another language, or a second one for the value: "Rechnungsnummer / Invoice no.", "Rechnungsdatum = Lieferdatum" */
const TRANSLATION = /^\s*(?:[/|=&]\s*|\(|und |and )\p{L}[\p{L}\s.-]{1,30}\)?\s*(?=[:#]|$)/u;
/** How far below its label a value can be, in heights of the label. */
const LINES_BELOW = 2.6;

/** A cell and the index of its line. */
export interface PlacedCell {
  readonly cell: Cell;
  readonly row: number;
}

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
  return lines.flatMap((line, row) =>
    line.cells.flatMap((cell, index) =>
      [...cell.text.matchAll(label)].flatMap((match) => {
        const before = cell.text.slice(0, match.index);
        const after = cell.text.slice(match.index + match[0].length);
        if (/[\p{L}\p{N}]-?$/u.test(before) || /^\p{L}/u.test(after)) return [];
        const preceding = [...line.cells.slice(0, index).map(({ text }) => text), before].join(' ');
        const found = valueAfter(lines, { cell, row }, { before, after }, parse);
        const hit = { line, before: preceding, inCell: before, label: match[0] };
        return found && accept({ ...hit, valueLine: found.line }) ? [found.value] : [];
      }),
    ),
  );
}

function valueAfter<T>(
  lines: readonly Line[],
  { cell, row }: PlacedCell,
  { before, after }: { before: string; after: string },
  parse: ParseValue<T>,
): { value: T; line: Line } | undefined {
  const line = lines[row]!;
  const found = (value: T | undefined, where: Line) => (value === undefined ? undefined : { value, line: where });
  const rest = after.replace(TRANSLATION, '').replace(SEPARATORS, '');
  if (rest !== '') return found(parse(rest), line);
  const right = line.cells.slice(line.cells.indexOf(cell) + 1).find(({ text }) => text.replace(SEPARATORS, '') !== '');
  const beside = right && parse(right.text.replace(SEPARATORS, ''));
  if (beside !== undefined || before.trim() !== '') return found(beside, line);
  const below = cellBelow(lines, { cell, row });
  return below && found(parse(below.cell.text) ?? parse(wrapped(lines, below)), lines[below.row]!);
}

/** The text of a cell with two lines. */
function wrapped(lines: readonly Line[], first: PlacedCell): string {
  const second = cellBelow(lines, first);
  return second ? `${first.cell.text} ${second.cell.text}` : first.cell.text;
}

/**
 * The nearest cell below, in the same column. Where the last column is a box, its label may be at the left and its value at the
 * right.
 */
export function cellBelow(lines: readonly Line[], { cell, row }: PlacedCell): PlacedCell | undefined {
  const from = lines[row]!;
  const isLast = from.cells.at(-1) === cell;
  for (let next = row + 1; next < lines.length; next++) {
    const line = lines[next]!;
    if (line.page !== from.page || line.y - from.y > LINES_BELOW * Math.max(cell.size, line.size)) return undefined;
    const found = line.cells.find(({ left, right }) => left < cell.right && right > cell.left);
    if (found) return { cell: found, row: next };
    const last = isLast ? line.cells.at(-1) : undefined;
    if (last && last.left >= cell.right) return { cell: last, row: next };
  }
  return undefined;
}
