import type { Metadata } from '../metadata';

type Format = NonNullable<Metadata['e_invoice']>['format'];

const EN_16931 = 'urn:cen.eu:en16931:2017';

/** The profiles by BT-24, most specific first. The names are those of the standards, without versions. */
const PROFILES: readonly (readonly [pattern: RegExp, profile: string])[] = [
  [/xrechnung.*#conformant#.*extension|:extension:xrechnung/i, 'XRECHNUNG_EXTENSION'],
  [/xrechnung/i, 'XRECHNUNG'],
  [/:peppol\.eu:/i, 'PEPPOL_BIS'],
  [/(?:factur-x\.eu|zugferd\.de):[^:]+:minimum$/i, 'MINIMUM'],
  [/(?:factur-x\.eu|zugferd\.de):[^:]+:basicwl$/i, 'BASIC_WL'],
  [/(?:factur-x\.eu|zugferd\.de):[^:]+:basic$/i, 'BASIC'],
  [/(?:factur-x\.eu|zugferd\.de):[^:]+:extended$/i, 'EXTENDED'],
  [/^urn:ferd:CrossIndustryDocument:invoice:1p0:basic$/i, 'BASIC'],
  [/^urn:ferd:CrossIndustryDocument:invoice:1p0:comfort$/i, 'COMFORT'],
  [/^urn:ferd:CrossIndustryDocument:invoice:1p0:extended$/i, 'EXTENDED'],
  [/^urn:cen\.eu:en16931:2017$|(?:factur-x\.eu|zugferd\.de):[^:]+:en16931$/i, 'EN16931'],
];

/** A short name for the specification identifier (BT-24); the identifier itself when there is none. */
export function profileOf(specification: string | undefined): string | undefined {
  if (specification === undefined) return undefined;
  return PROFILES.find(([pattern]) => pattern.test(specification))?.[1] ?? specification.slice(0, 255);
}

/** Some senders write colons instead of number signs, and `compliant` instead of `conformant`. */
const CHANGES_RULES = /[#:]conformant[#:]|:(?:minimum|basicwl|extended(?:-[\w-]+)?)$|:extension:/i;

/**
 * Whether the sender claims the unmodified rules of EN 16931. MINIMUM and BASIC WL omit parts, `conformant` profiles (EXTENDED,
 * the XRechnung extension) change rules, and ZUGFeRD 1.0 is older than the standard.
 */
export function claimsEn16931(specification: string | undefined): boolean {
  return specification !== undefined && specification.startsWith(EN_16931) && !CHANGES_RULES.test(specification);
}

/** A standalone XML is named after its syntax, or after XRechnung if BT-24 names it. */
export function formatOfXml(specification: string | undefined, syntax: 'UBL' | 'CII'): Format {
  return /xrechnung/i.test(specification ?? '') ? 'XRECHNUNG' : syntax;
}
