import type { CommandCursor } from '../protocol/command-cursor';

/** The bytes of a message that a section such as `BODY[1.2.HEADER.FIELDS (SUBJECT)]` selects (RFC 3501 6.4.5). */
export interface Section {
  readonly path: readonly number[];
  readonly text?: 'HEADER' | 'HEADER.FIELDS' | 'HEADER.FIELDS.NOT' | 'TEXT' | 'MIME';
  readonly fields?: readonly string[];
}

export interface SectionItem {
  readonly kind: 'SECTION';
  readonly section: Section;
  readonly peek: boolean;
  readonly partial?: { readonly offset: number; readonly count: number };
  /** The item's name in the response. */
  readonly label: string;
}

const SIMPLE = ['UID', 'FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE', 'BODYSTRUCTURE', 'BODY', 'MODSEQ'] as const;

export type FetchItem = SectionItem | { readonly kind: (typeof SIMPLE)[number] };

const FAST = ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE'] as const;
const MACROS: Readonly<Record<string, readonly (typeof SIMPLE)[number][]>> = {
  FAST,
  ALL: [...FAST, 'ENVELOPE'],
  FULL: [...FAST, 'ENVELOPE', 'BODY'],
};

/** The items of a FETCH: one item, a list, or a macro, which is not allowed in a list. */
export function fetchItems(args: CommandCursor, condstore: boolean): FetchItem[] {
  if (args.next('(')) return args.list(() => fetchItem(args, condstore));
  for (const [macro, kinds] of Object.entries(MACROS)) {
    if (args.accept(macro) || args.accept(macro.toLowerCase())) return kinds.map((kind) => ({ kind }));
  }
  return [fetchItem(args, condstore)];
}

function fetchItem(args: CommandCursor, condstore: boolean): FetchItem {
  const name = args.match(/[A-Za-z0-9.]+/y, 'a fetch item')[0].toUpperCase();
  if ((name === 'BODY' || name === 'BODY.PEEK') && args.accept('[')) {
    const section = readSection(args);
    const peek = name === 'BODY.PEEK';
    const partial = readPartial(args);
    return { kind: 'SECTION', section, peek, label: label(section, partial?.offset), ...(partial && { partial }) };
  }
  if (name === 'RFC822') return { kind: 'SECTION', section: { path: [] }, peek: false, label: name };
  if (name === 'RFC822.HEADER')
    return { kind: 'SECTION', section: { path: [], text: 'HEADER' }, peek: true, label: name };
  if (name === 'RFC822.TEXT') return { kind: 'SECTION', section: { path: [], text: 'TEXT' }, peek: false, label: name };
  const kind = SIMPLE.find((known) => known === name);
  if (!kind || (kind === 'MODSEQ' && !condstore)) throw args.bad('a fetch item');
  return { kind };
}

function readSection(args: CommandCursor): Section {
  const [numbers] = args.match(/(?:[1-9]\d{0,8}(?:\.[1-9]\d{0,8})*)?/y, 'a part number');
  const path = numbers ? numbers.split('.').map(Number) : [];
  if (args.accept(']')) return { path };
  if (path.length > 0) args.expect('.');
  const text = args.match(/[A-Za-z.]+/y, 'a section')[0].toUpperCase();
  if (text === 'HEADER.FIELDS' || text === 'HEADER.FIELDS.NOT') {
    args.space();
    const fields = args.list(() => args.astring());
    args.expect(']');
    return { path, text, fields };
  }
  if (text !== 'HEADER' && text !== 'TEXT' && !(text === 'MIME' && path.length > 0)) throw args.bad('a section');
  args.expect(']');
  return { path, text };
}

function readPartial(args: CommandCursor): { offset: number; count: number } | undefined {
  if (!args.accept('<')) return undefined;
  const offset = args.number();
  args.expect('.');
  const count = args.number();
  if (count === 0) throw args.bad('a count above zero');
  args.expect('>');
  return { offset, count };
}

function label({ path, text, fields }: Section, offset: number | undefined): string {
  const words = [...path, ...(text ? [text] : [])].join('.');
  const names = fields ? ` (${fields.map((field) => field.toUpperCase()).join(' ')})` : '';
  return `BODY[${words}${names}]${offset === undefined ? '' : `<${offset}>`}`;
}
