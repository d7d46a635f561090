import { SETTLEMENT } from '../en16931/groups';
import { exists, select, text } from '../engine/select';
import { type Condition, matching, present, ROOT, table, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { isIban } from './iban';
import { AT_CII, AT_UBL, codeIn } from './places';

const TERMS = `${SETTLEMENT}/SpecifiedTradePaymentTerms`;
const MANDATE = `${TERMS}/DirectDebitMandateID`;
const CREDITOR = `${SETTLEMENT}/CreditorReferenceID`;
const DEBITED = `${SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans/PayerPartyDebtorFinancialAccount/IBANID`;

const TRANSFERS = ['30', '58'];
const CARDS = ['48', '54', '55'];
const DEBITS = ['49', '59'];
const SEPA_TRANSFER = '58';
const SEPA_DEBIT = '59';

const without =
  (path: string): Condition =>
  (node) =>
    !exists(node, path);

/** A direct debit is described by the mandate or the creditor of the invoice, or by the account of these payment means. */
const debitCii: Condition = (node, { root }) =>
  exists(root, MANDATE) || exists(root, CREDITOR) || exists(node, 'PayerPartyDebtorFinancialAccount/IBANID');
const onlyCii =
  (others: string): Condition =>
  (node, invoice) =>
    !exists(node, others) && !debitCii(node, invoice);

const sepaCreditor = (root: XmlNode) =>
  select(root, 'AccountingSupplierParty/Party/PartyIdentification/ID|PayeeParty/PartyIdentification/ID').some(
    (id) => id.attributes.get('schemeID') === 'SEPA',
  );
const hasMandate: Condition = (root) => exists(root, 'PaymentMeans/PaymentMandate');
/** Of the three parts of a direct debit none is given, or this one and one of the others. */
const debitPart =
  (part: string, others: readonly string[]): Condition =>
  (root) => {
    const other = others.some((path) => exists(root, path));
    return exists(root, part) ? other : !other;
  };

const ONLY = 'other_payment';

/** What XRechnung requires for each way of payment. */
export const GERMAN_PAYMENT_RULES = table([
  [
    'BR-DE-19',
    'BT-84',
    test(AT_UBL.payment(SEPA_TRANSFER), 'iban', (node) => isIban(text(node, 'PayeeFinancialAccount/ID'))),
    test(AT_CII.payment(SEPA_TRANSFER), 'iban', (node) =>
      isIban(text(node, 'PayeePartyCreditorFinancialAccount/IBANID')),
    ),
    'WARNING',
  ],
  [
    'BR-DE-20',
    'BT-91',
    test(AT_UBL.payment(SEPA_DEBIT), 'iban', (node) => isIban(text(node, 'PaymentMandate/PayerFinancialAccount/ID'))),
    test(AT_CII.payment(SEPA_DEBIT), 'iban', (node) => isIban(text(node, 'PayerPartyDebtorFinancialAccount/IBANID'))),
    'WARNING',
  ],
  [
    'BR-DE-23-a',
    'BG-17',
    present(AT_UBL.payment(...TRANSFERS), 'PayeeFinancialAccount'),
    present(AT_CII.payment(...TRANSFERS), 'PayeePartyCreditorFinancialAccount'),
  ],
  [
    'BR-DE-23-b',
    'BG-16',
    test(AT_UBL.payment(...TRANSFERS), ONLY, without('CardAccount|PaymentMandate')),
    test(AT_CII.payment(...TRANSFERS), ONLY, onlyCii('ApplicableTradeSettlementFinancialCard')),
  ],
  [
    'BR-DE-24-a',
    'BG-18',
    present(AT_UBL.payment(...CARDS), 'CardAccount'),
    present(AT_CII.payment(...CARDS), 'ApplicableTradeSettlementFinancialCard'),
  ],
  [
    'BR-DE-24-b',
    'BG-16',
    test(AT_UBL.payment(...CARDS), ONLY, without('PayeeFinancialAccount|PaymentMandate')),
    test(AT_CII.payment(...CARDS), ONLY, onlyCii('PayeePartyCreditorFinancialAccount')),
  ],
  [
    'BR-DE-25-a',
    'BG-19',
    present(AT_UBL.payment(SEPA_DEBIT), 'PaymentMandate'),
    test(AT_CII.payment(SEPA_DEBIT), 'missing', debitCii),
  ],
  [
    'BR-DE-25-b',
    'BG-16',
    test(AT_UBL.payment(SEPA_DEBIT), ONLY, without('PayeeFinancialAccount|CardAccount')),
    test(
      AT_CII.payment(SEPA_DEBIT),
      ONLY,
      without(
        'PayeePartyCreditorFinancialAccount|PayeeSpecifiedCreditorFinancialInstitution|' +
          'PayerSpecifiedDebtorFinancialInstitution|ApplicableTradeSettlementFinancialCard',
      ),
    ),
  ],
  [
    'BR-DE-30',
    'BT-90',
    test(ROOT, 'missing', (root, invoice) => !hasMandate(root, invoice) || sepaCreditor(root)),
    test(ROOT, 'missing', debitPart(CREDITOR, [MANDATE, DEBITED])),
  ],
  [
    'BR-DE-31',
    'BT-91',
    test(
      ROOT,
      'missing',
      (root, invoice) =>
        !hasMandate(root, invoice) || exists(root, 'PaymentMeans/PaymentMandate/PayerFinancialAccount/ID'),
    ),
    test(ROOT, 'missing', debitPart(DEBITED, [MANDATE, CREDITOR])),
  ],
  [
    'PEPPOL-EN16931-R061',
    'BT-89',
    present(matching('PaymentMeans', codeIn('PaymentMeansCode', DEBITS)), 'PaymentMandate/ID'),
    present(
      matching('SpecifiedTradeSettlementPaymentMeans', codeIn('TypeCode', DEBITS)),
      '../SpecifiedTradePaymentTerms/DirectDebitMandateID',
    ),
  ],
]);
