import type { InvoiceDocument } from './invoice-document';
import type { FindingClass, Rule, Sentence, Severity } from './rule';
import { structureErrors } from '../structure/check-structure';
import { FORMAT_ERRORS, type FormatError } from './format-errors';
import { Repeated, Unreadable } from './unreadable';
import type { XmlNode } from './xml-node';

/** A rule that failed, and where. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly class: FindingClass;
  readonly term: string | null;
  /** XPath. */
  readonly path: string;
  readonly sentence: Sentence;
}

export interface Evaluation {
  readonly findings: readonly Finding[];
  /** All failures, also those that `findings` leaves out. */
  readonly errors: number;
  readonly warnings: number;
}

/** More places of one rule, and more findings of one invoice, are counted but not listed. */
const MOST_PER_RULE = 20;
const MOST = 500;

/** Evaluation takes longer than this only for files made for it; then there is no verdict. */
const LIMIT_MS = 2_000;

export class TooExpensive extends Error {
  constructor() {
    super('The evaluation of the rules takes too long.');
    this.name = 'TooExpensive';
  }
}

/** Tests the structure and all rules. @throws TooExpensive */
export function evaluate(rules: readonly Rule[], invoice: InvoiceDocument, now = () => performance.now()): Evaluation {
  const collector = new FindingCollector();
  const deadline = now() + LIMIT_MS;
  for (const { error, node, name } of structureErrors(invoice)) {
    collector.addFormatError(error, node, name);
    if (now() > deadline) throw new TooExpensive();
  }
  for (const rule of rules) {
    for (const node of collector.reading(() => rule.at(invoice)) ?? []) {
      if (collector.reading(() => rule.holds(node, invoice)) === false) collector.addFailure(rule, node);
      if (now() > deadline) throw new TooExpensive();
    }
  }
  return collector;
}

class FindingCollector implements Evaluation {
  readonly findings: Finding[] = [];
  errors = 0;
  warnings = 0;
  private readonly perRule = new Map<string, number>();
  private readonly formatErrors = new Map<XmlNode, Set<string>>();

  addFailure({ id, severity, class: of, term, sentence }: Rule, node: XmlNode): void {
    this.add({ rule: id, severity, class: of, term, sentence }, () => node.path());
  }

  /** The result, or undefined when a value cannot be read: that is a finding, and the same one for all rules that need the value. */
  reading<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      const kind = error instanceof Unreadable ? error.type : error instanceof Repeated ? 'repeated' : undefined;
      const node = error instanceof Unreadable || error instanceof Repeated ? error.node : undefined;
      if (!kind || !node) throw error;
      this.addFormatError(kind, node);
      return undefined;
    }
  }

  /** Adds an error of the format once for each node, attribute or missing child. */
  addFormatError(error: FormatError, node: XmlNode, name?: string): void {
    const [rule, key] = FORMAT_ERRORS[error];
    const errors = this.formatErrors.get(node) ?? new Set<string>();
    this.formatErrors.set(node, errors);
    if (errors.has(`${rule} ${name}`)) return;
    errors.add(`${rule} ${name}`);
    const sentence = { key, ...(name !== undefined && { values: { name } }) };
    this.add({ rule, severity: 'FATAL', class: 'FORMAT', term: null, sentence }, () => node.path());
  }

  private add(finding: Omit<Finding, 'path'>, path: () => string): void {
    if (finding.severity === 'FATAL') this.errors++;
    else this.warnings++;
    const before = this.perRule.get(finding.rule) ?? 0;
    this.perRule.set(finding.rule, before + 1);
    if (before < MOST_PER_RULE && this.findings.length < MOST) this.findings.push({ ...finding, path: path() });
  }
}
