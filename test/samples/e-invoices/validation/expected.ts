import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the published artifacts find in the mutants of a variant (CEN 1.3.16, for XRechnung also KoSIT's after 2.5.0, with the
 * severities of its configuration, for Peppol also OpenPEPPOL's 3.0.19): the ids of the rules that fail, by the mutant's number. `ERROR`: it stops, because a value cannot be read or occurs twice (left
 * out for XRechnung).
 */
export function expectedFailures(name: string): ReadonlyMap<number, string> {
  const lines = readFileSync(join(__dirname, `expected/${name}.txt`), 'utf8')
    .trim()
    .split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [ids = '', numbers = ''] = line.split(':');
      return numbers
        .trim()
        .split(' ')
        .flatMap(range)
        .map((number) => [number, ids.trim()] as const);
    }),
  );
}

/** `12` or `12-15`. */
function range(text: string): number[] {
  const [from = 0, to = from] = text.split('-').map(Number);
  return Array.from({ length: to - from + 1 }, (_each, at) => from + at);
}
