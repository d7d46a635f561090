import { claimsEn16931 } from '../profile';
import { EN16931_RULES } from './en16931/en16931-rules';
import type { Syntax } from './engine/invoice-document';
import type { Rule } from './engine/rule';
import type { BySyntax } from './engine/tests';
import { facturXRules } from './factur-x/factur-x-rules';
import { PEPPOL_RULES } from './peppol/peppol-rules';
import { claimsPeppolBis } from './peppol/specification';
import { XRECHNUNG_RULES } from './xrechnung/xrechnung-rules';

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

const XRECHNUNG: RuleSetName = { name: 'XRechnung', version: 'KoSIT 2.5.0, CEN 1.3.16' };

const PEPPOL: RuleSetName = { name: 'Peppol BIS Billing', version: 'OpenPEPPOL 3.0.19, CEN 1.3.16' };

/** The profile decides which rules of EN 16931 apply; its further rules, for what it does not use, are not tested. */
function facturX(profile: string): RuleSetName {
  return { name: `EN 16931, as far as Factur-X ${profile} has it`, version: 'Factur-X 1.09, CEN 1.3.16' };
}

/**
 * The rules for a specification identifier (BT-24): those of XRechnung 3.0, its extension or its CIUS for clean vehicles, those of
 * Peppol BIS Billing 3, else those of EN 16931, also when it is missing, which is an error itself; then the business process (BT-23)
 * may be Peppol's. For MINIMUM and BASIC WL those that Factur-X keeps. None for profiles that change rules: EXTENDED.
 */
export function rulesFor(specification: string | undefined, syntax: Syntax, process = ''): RuleSet | undefined {
  const national = XRECHNUNG_RULES.get(specification ?? '');
  if (national) return { ruleset: XRECHNUNG, rules: of(national, syntax) };
  if (syntax === 'UBL' && claimsPeppolBis(specification, process)) return { ruleset: PEPPOL, rules: PEPPOL_RULES };
  const reduced = syntax === 'CII' ? facturXRules(specification ?? '') : undefined;
  if (reduced) return { ruleset: facturX(reduced.profile), rules: reduced.rules };
  if (specification !== undefined && !claimsEn16931(specification)) return undefined;
  return { ruleset: EN_16931, rules: of(EN16931_RULES, syntax) };
}

function of({ ubl, cii }: BySyntax, syntax: Syntax): readonly Rule[] {
  return syntax === 'UBL' ? ubl : cii;
}
