import { claimsEn16931 } from '../profile';
import { EN16931_RULES } from './en16931/en16931-rules';
import type { Syntax } from './engine/invoice-document';
import type { Rule } from './engine/rule';

/** A published set of rules, and its release. */
export interface RuleSetName {
  readonly name: string;
  readonly version: string;
}

interface RuleSet {
  readonly ruleset: RuleSetName;
  readonly rules: readonly Rule[];
}

const EN_16931: RuleSetName = { name: 'EN 16931', version: 'CEN 1.3.16' };

/**
 * The rules for a specification identifier (BT-24); those of EN 16931 when it is missing, which is an error itself. None for
 * profiles that leave parts of the standard out or change its rules: MINIMUM, BASIC WL, EXTENDED, the XRechnung extension.
 */
export function rulesFor(specification: string | undefined, syntax: Syntax): RuleSet | undefined {
  if (specification !== undefined && !claimsEn16931(specification)) return undefined;
  return { ruleset: EN_16931, rules: syntax === 'UBL' ? EN16931_RULES.ubl : EN16931_RULES.cii };
}
