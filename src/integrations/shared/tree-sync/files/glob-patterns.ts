/** A part of a pattern's segment: any characters, or one that matches. */
type Part = { readonly many: true } | { readonly matches: (character: string) => boolean };

/** A segment of a pattern; `**` matches any number of segments. */
type Segment = readonly Part[] | '**';

/**
 * Compiles a comma-separated list of patterns into a predicate on paths: `*` matches any part of a name, `?` any character, `[a-z]`
 * one of a set, `[!a-z]` none of a set, and the segment `**` any folders. A pattern without `/` is matched against the name, one
 * with `/` against the path below the selected folder, and one that ends with `/` matches everything in a folder. Case and the
 * normalization of umlauts are ignored.
 *
 * Patterns are untrusted input and are therefore not compiled to regular expressions, as libraries do: a hostile one could block
 * the service. The cost is at most the product of the lengths of pattern and path.
 */
export function globMatcher(patterns: string): (path: string) => boolean {
  const compiled = patterns
    .split(/[,\n]/)
    .map((pattern) =>
      comparable(pattern.trim())
        .replace(/^\.?\//, '')
        .replace(/\/+$/, '/**'),
    )
    .filter((pattern) => pattern !== '')
    .map((pattern) => pattern.split('/').map(segmentOf));
  return (path) => {
    const segments = comparable(path)
      .split('/')
      .map((segment) => [...segment]);
    return compiled.some((pattern) =>
      glob(
        pattern,
        pattern.length === 1 ? segments.slice(-1) : segments,
        (segment) => segment === '**',
        (segment, name) => segment !== '**' && isName(segment, name),
      ),
    );
  };
}

/** Files that are being uploaded, by the names that programs give them until they are complete. */
export const isPartialUpload = globMatcher('*.part, *.partial, *.filepart, *.crdownload, *.download, *.tmp, *.temp');

/** Lock and backup files of programs, and files of operating systems. */
export const isSystemFile = globMatcher('*.swp, ~$*, .~*, ._*, .DS_Store, Thumbs.db, desktop.ini');

function isName(segment: readonly Part[], name: readonly string[]): boolean {
  return glob(
    segment,
    name,
    (part) => 'many' in part,
    (part, character) => 'matches' in part && part.matches(character),
  );
}

/** Greedy matching: only the last wildcard has to be backtracked to. */
function glob<Wanted, Given>(
  wanted: readonly Wanted[],
  given: readonly Given[],
  isWild: (wanted: Wanted) => boolean,
  fits: (wanted: Wanted, given: Given) => boolean,
): boolean {
  let [w, g] = [0, 0];
  let wild = -1;
  let from = 0;
  while (g < given.length) {
    if (w < wanted.length && isWild(wanted[w]!)) {
      wild = w++;
      from = g;
    } else if (w < wanted.length && fits(wanted[w]!, given[g]!)) {
      w++;
      g++;
    } else if (wild >= 0) {
      w = wild + 1;
      g = ++from;
    } else {
      return false;
    }
  }
  return wanted.slice(w).every(isWild);
}

function segmentOf(text: string): Segment {
  if (text === '**') return '**';
  const parts: Part[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    const end = character === '[' ? characters.indexOf(']', at + 2) : -1;
    if (character === '*') parts.push({ many: true });
    else if (character === '?') parts.push({ matches: () => true });
    else if (end > 0) {
      parts.push({ matches: oneOf(characters.slice(at + 1, end)) });
      at = end;
    } else parts.push({ matches: (given) => given === character });
  }
  return parts;
}

function oneOf(set: readonly string[]): (character: string) => boolean {
  const isNot = set[0] === '!' || set[0] === '^';
  const listed = isNot ? set.slice(1) : set;
  const ranges: [string, string][] = [];
  for (let at = 0; at < listed.length; at++) {
    const isRange = listed[at + 1] === '-' && at + 2 < listed.length;
    ranges.push([listed[at]!, listed[isRange ? at + 2 : at]!]);
    if (isRange) at += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNot;
}

function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
