import { xsdDay } from '../calendar-day';
import type { InvoiceFields, PartyFields, TotalsFields } from '../invoice-fields';
import { ownTaxTotals } from '../tax-totals';
import type { XmlElement } from './xml';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
/** The namespaces of the elements that invoices consist of. */
export const UBL_VOCABULARY = [`${UBL}CommonAggregateComponents-2`, `${UBL}CommonBasicComponents-2`];

/** The two UBL documents that are invoices. */
export const UBL_ROOTS = [
  { namespace: `${UBL}Invoice-2`, name: 'Invoice' },
  { namespace: `${UBL}CreditNote-2`, name: 'CreditNote' },
] as const;

/** Reads a UBL 2.1 Invoice or CreditNote by the syntax binding of EN 16931 (CEN/TS 16931-3-2). Never throws. */
export function readUbl(root: XmlElement): InvoiceFields {
  const document = root.speaking(UBL_VOCABULARY);
  const kind = root.name === 'CreditNote' ? 'CreditNote' : 'Invoice';
  const means = document.all('PaymentMeans');
  const periodStart = document.text('InvoicePeriod', 'StartDate');
  const periodEnd = document.text('InvoicePeriod', 'EndDate');
  // A period without dates only determines when the tax becomes due (BT-8).
  const deliveryDay = (periodStart ?? periodEnd) ? undefined : document.text('Delivery', 'ActualDeliveryDate');
  const seller = document.first('AccountingSupplierParty', 'Party');
  const accounts = means.flatMap((each) => each.text('PayeeFinancialAccount', 'ID') ?? []);
  return {
    specification: document.text('CustomizationID'),
    root: kind === 'CreditNote' ? 'credit_note' : 'invoice',
    typeCode: document.text(`${kind}TypeCode`),
    number: document.text('ID'),
    issueDate: xsdDay(document.text('IssueDate')),
    dueDate: dueDate(document, means),
    periodStart: xsdDay(periodStart),
    periodEnd: xsdDay(periodEnd ?? deliveryDay),
    currency: document.text('DocumentCurrencyCode'),
    seller: party(seller),
    buyer: party(document.first('AccountingCustomerParty', 'Party')),
    sellerAccounts: document.first('PayeeParty') ? [] : accounts,
    buyerAccounts: means.flatMap((each) => each.text('PaymentMandate', 'PayerFinancialAccount', 'ID') ?? []),
    orderReference: orderReference(document),
    precedingInvoice: document.text('BillingReference', 'InvoiceDocumentReference', 'ID'),
    paymentMeansCodes: means.flatMap((each) => each.text('PaymentMeansCode') ?? []),
    totals: totals(document),
    lineAmounts: document.all(`${kind}Line`).map((line) => line.text('LineExtensionAmount')),
    taxByCategory:
      taxTotal(document)
        ?.all('TaxSubtotal')
        .map((subtotal) => subtotal.text('TaxAmount')) ?? [],
  };
}

/**
 * BT-9: a separate element in an Invoice, part of the payment means in a CreditNote. Undefined when two dates differ.
 */
function dueDate(document: XmlElement, means: readonly XmlElement[]): string | undefined {
  const own = document.text('DueDate');
  if (own !== undefined) return xsdDay(own);
  const days = new Set(means.flatMap((each) => xsdDay(each.text('PaymentDueDate')) ?? []));
  return days.size === 1 ? [...days][0] : undefined;
}

/** UBL requires an order number when a sales order's number is present; senders without one write `NA`. */
function orderReference(document: XmlElement): string | undefined {
  const reference = document.text('OrderReference', 'ID');
  return reference === 'NA' && document.first('OrderReference', 'SalesOrderID') ? undefined : reference;
}

function party(element: XmlElement | undefined): PartyFields {
  const registrations = element?.all('PartyTaxScheme') ?? [];
  const scheme = (registration: XmlElement) => registration.text('TaxScheme', 'ID')?.toUpperCase();
  return {
    name: element?.text('PartyLegalEntity', 'RegistrationName') ?? element?.text('PartyName', 'Name'),
    vatId: registrations.find((each) => scheme(each) === 'VAT')?.text('CompanyID'),
    taxNumber: registrations.find((each) => scheme(each) !== undefined && scheme(each) !== 'VAT')?.text('CompanyID'),
    country: element?.text('PostalAddress', 'Country', 'IdentificationCode'),
    email: element?.text('Contact', 'ElectronicMail') ?? electronicAddress(element),
  };
}

/** BT-34/BT-49 is an e-mail address when its scheme is `EM`. */
function electronicAddress(element: XmlElement | undefined): string | undefined {
  const endpoint = element?.first('EndpointID');
  return endpoint?.attribute('schemeID') === 'EM' ? endpoint.text() : undefined;
}

/** The tax total in the invoice's currency; the one with a breakdown if it occurs both with and without. */
function taxTotal(document: XmlElement): XmlElement | undefined {
  const currency = document.text('DocumentCurrencyCode');
  const own = ownTaxTotals(document.all('TaxTotal'), (each) => each.first('TaxAmount'), currency);
  return own.find((each) => each.first('TaxSubtotal')) ?? own[0];
}

function totals(document: XmlElement): TotalsFields {
  const sums = document.first('LegalMonetaryTotal');
  return {
    net: sums?.text('TaxExclusiveAmount'),
    tax: taxTotal(document)?.text('TaxAmount'),
    gross: sums?.text('TaxInclusiveAmount'),
    prepaid: sums?.text('PrepaidAmount'),
    due: sums?.text('PayableAmount'),
  };
}
