import type { ProviderManifest } from '../../language/manifest';
import type { StreamManifest } from '../../language/stream-manifest';

/** What a provider's file says about the values of answers. Names are those of members of answers. */
export interface NamedValues {
  /** Every word of the file besides labels and help texts: what it compares or maps is among them. */
  readonly words: ReadonlySet<string>;
  /** Beginnings and ends of values that the file compares. */
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
  /** Paths in answers of the number of all records or pages. */
  readonly counts: ReadonlySet<string>;
  /** Members from which it makes amounts. */
  readonly amounts: ReadonlySet<string>;
  /** Members from which it makes dates. */
  readonly times: ReadonlySet<string>;
  /** Members with the content of a document in base64. */
  readonly base64: ReadonlySet<string>;
  /** Headers of answers that it reads, in lower case. */
  readonly headers: readonly string[];
}

/** Texts for people. */
const FOR_PEOPLE = ['label', 'help', 'placeholder', 'unknown', 'name', 'aliases', 'help_url'];
const DATES = ['date', 'due_date', 'service_start', 'service_end', 'payment.date', 'source.modified_at'];
const WORD_ENDS = /[\s|?=!<>,()'"{}[\]&/:;$]+/;

/** A path, which no comparison follows, as in `when status=paid`, and which is no variable. */
const PATH =
  /(?<![$\p{L}\p{N}_.@-])[\p{L}_@][\p{L}\p{N}_@-]*(?:\[[^\]]*\]|\.[\p{L}_@][\p{L}\p{N}_@-]*)*(?![\p{L}\p{N}_@.[-])(?!\s*(?:[!^$]?=|[<>]))/gu;

export function namedValues(manifest: ProviderManifest): NamedValues {
  const { account, choose = {}, errors, streams, base, headers = {} } = manifest;
  const texts = [...textsOf(account), ...textsOf(choose), ...textsOf(errors), ...textsOf(streams), ...textsOf(headers)];
  texts.push(new URL(base).pathname);
  const all = Object.values(streams);
  const lists = all.flatMap(({ list }) => [list, list.of ?? []].flat());
  const pages = lists.flatMap(({ page }) => [page?.total, page?.pages]);
  const ids = membersIn(all.map(({ id }) => id ?? 'id'));
  const withoutIds = (...members: Set<string>[]) =>
    new Set(members.flatMap((each) => [...each]).filter((name) => !ids.has(name)));
  return {
    words: new Set(texts.flatMap(wordsOf)),
    prefixes: affixes(texts, /(?:\bsegment\s+|\^=\s*)([^\s\],|()?]+)/g),
    suffixes: affixes(texts, /\$=\s*([^\s\],|()?]+)/g),
    counts: new Set(pathsIn(pages)),
    amounts: withoutIds(membersRead(all, (key) => key.startsWith('amount'))),
    times: withoutIds(
      membersRead(all, (key) => DATES.includes(key)),
      membersIn(all.flatMap(({ changes, issued }) => ['at' in changes ? changes.at : undefined, issued].flat())),
    ),
    base64: new Set(all.flatMap(({ document }) => [document].flat().flatMap(({ base64 }) => base64 ?? []))),
    headers: (errors?.rules ?? []).flatMap(({ wait_header: header }) => header?.toLowerCase() ?? []),
  };
}

/** A text, its words, and what it compares, which may have several words. */
const wordsOf = (text: string): string[] => [
  text,
  ...text.split(WORD_ENDS),
  ...text.split(/[^\p{L}\p{N}_]+/u),
  ...text.split(/[=,!<>|]+/).map((part) => part.trim()),
];

/** The names of the headers that a file states for its requests, in lower case; those with credentials are not among them. */
export function statedHeaders({ auth: _, ...manifest }: ProviderManifest): readonly string[] {
  const namesIn = (value: unknown, name = ''): string[] => {
    if (value === null || typeof value !== 'object') return [];
    if (name === 'headers') return Object.keys(value);
    return Object.entries(value).flatMap(([member, each]) => namesIn(each, member));
  };
  return [...new Set(namesIn(manifest).map((header) => header.toLowerCase()))];
}

/** Every text, number and name in a part of the manifest. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return Object.entries(value).flatMap(([name, member]) =>
    FOR_PEOPLE.includes(name) ? [] : [name, ...textsOf(member)],
  );
}

const affixes = (texts: readonly string[], pattern: RegExp): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found]) => found!))),
];

/** The members that the expressions of some metadata read, directly or through a definition. */
function membersRead(streams: readonly StreamManifest[], isWanted: (key: string) => boolean): Set<string> {
  const expressions = streams.flatMap(({ metadata = {}, let: definitions = {} }) => {
    const found = new Set(
      Object.entries(metadata)
        .filter(([key]) => isWanted(key))
        .map(([, expression]) => expression),
    );
    // A set also yields what is added to it meanwhile.
    for (const expression of found)
      for (const [, name] of expression.matchAll(/\$([\p{L}_][\p{L}\p{N}_]*)/gu))
        if (Object.hasOwn(definitions, name!)) found.add(definitions[name!]!);
    return [...found];
  });
  return membersIn(expressions);
}

/** The last names of the paths in expressions. */
const membersIn = (expressions: readonly (string | undefined)[]): Set<string> =>
  new Set(pathsIn(expressions).map((path) => path.split('.').at(-1)!));

/** The paths in expressions, without places in lists. Names of converters are among them. */
const pathsIn = (expressions: readonly (string | undefined)[]): string[] =>
  expressions
    .flatMap((text) => text?.replaceAll(/'[^']*'/g, ' ').match(PATH) ?? [])
    .map((path) => path.replaceAll(/\[[^\]]*\]/g, ''));
