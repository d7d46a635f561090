import { readFileSync } from 'node:fs';

/** A brand's artwork from simple-icons. */
export interface BrandIcon {
  readonly title: string;
  /** The brand's color, six hexadecimal digits. */
  readonly hex: string;
  /** The path data of the icon, in a square of 24 units. */
  readonly path: string;
}

type Entry = Pick<BrandIcon, 'title' | 'hex'> & { readonly slug: string };

/** Read when the first logo is requested. */
let entries: ReadonlyMap<string, Entry> | undefined;

/** The icon with this name of simple-icons (`slug`); undefined when the package does not have it. */
export function findBrandIcon(slug: string): BrandIcon | undefined {
  entries ??= readEntries();
  const entry = entries.get(slug);
  if (!entry) return undefined;
  const svg = readFileSync(require.resolve(`simple-icons/icons/${entry.slug}.svg`), 'utf8');
  return { title: entry.title, hex: entry.hex, path: / d="([^"]+)"/.exec(svg)![1]! };
}

function readEntries(): ReadonlyMap<string, Entry> {
  const all = JSON.parse(readFileSync(require.resolve('simple-icons/icons.json'), 'utf8')) as Entry[];
  return new Map(all.map((entry) => [entry.slug, entry]));
}
