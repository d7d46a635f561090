import { EN16931_RULES } from '../en16931/en16931-rules';
import type { Rule } from '../engine/rule';

/** The profiles without lines, and the rules of EN 16931 that Factur-X keeps for them. */
const MINIMUM = `
  BR: 01 02 03 04 05 06 07 08 09 13 14 15
  BR-CO: 09 26
  BR-DEC: 12 13 14 18
`;
const BASIC_WL = `
  BR: 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 17 18 19 20 29 31 32 33 36 37 38 45 46 47 48 49 50 51 53 55 56 57 61 62 63
  BR-CO: 03 09 11 12 13 14 15 16 17 19 21 22 26
  BR-DEC: 01 02 05 06 09 10 11 12 13 14 15 16 17 18 19 20
  BR-S: 03 04 06 07 09 10
  BR-Z: 03 04 06 07 09 10
  BR-E: 03 04 06 07 09 10
  BR-AE: 03 04 06 07 09 10
  BR-IC: 03 04 06 07 09 10 11 12
  BR-G: 03 04 06 07 09 10
  BR-O: 03 04 06 07 09 10 11 13 14
  BR-AF: 03 04 06 07 09 10
  BR-AG: 03 04 06 07 09 10
`;

function kept(table: string): readonly Rule[] {
  const ids = new Set(
    table
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [series = '', numbers = ''] = line.trim().split(': ');
        return numbers.split(' ').map((number) => `${series}-${number}`);
      }),
  );
  return EN16931_RULES.cii.filter(({ id }) => ids.has(id));
}

/** The rules for a specification identifier of a Factur-X or ZUGFeRD profile without lines; undefined for others. */
export function facturXRules(specification: string): { profile: string; rules: readonly Rule[] } | undefined {
  const [, profile] = /(?:factur-x\.eu|zugferd\.de):[^:]+:(minimum|basicwl)$/i.exec(specification) ?? [];
  return profile === undefined ? undefined : PROFILES[profile.toLowerCase()];
}

const PROFILES: Readonly<Record<string, { profile: string; rules: readonly Rule[] }>> = {
  minimum: { profile: 'MINIMUM', rules: kept(MINIMUM) },
  basicwl: { profile: 'BASIC WL', rules: kept(BASIC_WL) },
};
