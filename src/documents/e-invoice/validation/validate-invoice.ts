import { decodeXml } from '../xml/decode-xml';
import { type Evaluation, evaluate, TooExpensive } from './engine/evaluate';
import { InvoiceDocument, type Syntax } from './engine/invoice-document';
import { select } from './engine/select';
import { parseTree, type XmlNode } from './engine/xml-node';
import { rulesFor, type RuleSetName } from './rule-sets';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
const CEFACT = 'urn:un:unece:uncefact:data:standard:';
const ROOTS: ReadonlyMap<string, Syntax> = new Map([
  ['Invoice', 'UBL'],
  ['CreditNote', 'UBL'],
  ['CrossIndustryInvoice', 'CII'],
]);

const VOCABULARY: ReadonlySet<string> = new Set([
  `${UBL}Invoice-2`,
  `${UBL}CreditNote-2`,
  `${UBL}CommonAggregateComponents-2`,
  `${UBL}CommonBasicComponents-2`,
  `${UBL}CommonExtensionComponents-2`,
  `${CEFACT}CrossIndustryInvoice:100`,
  `${CEFACT}ReusableAggregateBusinessInformationEntity:100`,
  `${CEFACT}UnqualifiedDataType:100`,
]);

/** The result of testing all rules of a rule set on an invoice. */
export interface ValidationResult extends Evaluation {
  readonly ruleset: RuleSetName;
}

/**
 * Tests an invoice that `parseXml` has accepted against the rules for its specification identifier (BT-24). Undefined when none
 * apply, and for files made to be expensive.
 */
export function validateInvoice(bytes: Uint8Array, specification: string | undefined): ValidationResult | undefined {
  const tree = parseTree(decodeXml(bytes), (namespace) => VOCABULARY.has(namespace));
  const root = tree && invoiceIn(tree);
  const syntax = root && ROOTS.get(root.name);
  const set = syntax && rulesFor(specification, syntax, select(root, 'ProfileID')[0]?.text);
  if (!set) return undefined;
  try {
    const { findings, errors, warnings } = evaluate(set.rules, new InvoiceDocument(root, syntax));
    return { ruleset: set.ruleset, errors, warnings, findings };
  } catch (error) {
    if (error instanceof TooExpensive) return undefined;
    throw error;
  }
}

/** The root element, or the only invoice in an envelope. */
function invoiceIn(tree: XmlNode): XmlNode | undefined {
  if (ROOTS.has(tree.name)) return tree;
  const held = tree.children.filter((child) => ROOTS.has(child.name));
  return held.length === 1 ? held[0]!.detach() : undefined;
}
