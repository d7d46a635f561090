import type { InvoiceDocument } from './invoice-document';
import type { XmlNode } from './xml-node';

export type Severity = 'FATAL' | 'WARNING';

/**
 * The classes of the letter of the German Federal Ministry of Finance of 15 October 2025: FORMAT when the file does not follow the
 * syntax, BUSINESS_RULE when it breaks a rule of the standard, CONTENT when what it states contradicts itself or is not true.
 */
export type FindingClass = 'FORMAT' | 'BUSINESS_RULE' | 'CONTENT';

/** A sentence of `e-invoice-rules.json` in `i18n`: its key, and values for its places. */
export interface Sentence {
  readonly key: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  readonly class: FindingClass;
  /** The business term or group it is about (`BT-1`, `BG-25`); null for rules of the syntax. */
  readonly term: string | null;
  readonly sentence: Sentence;
  /** The nodes that it is tested at. */
  readonly at: (invoice: InvoiceDocument) => readonly XmlNode[];
  readonly holds: (node: XmlNode, invoice: InvoiceDocument) => boolean;
}
