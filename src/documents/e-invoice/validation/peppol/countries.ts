import type { InvoiceDocument } from '../engine/invoice-document';
import { exists, normalize, select, some } from '../engine/select';
import type { Condition } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';

export const SELLER = 'AccountingSupplierParty/Party';
export const BUYER = 'AccountingCustomerParty/Party';
export const REPRESENTATIVE = 'TaxRepresentativeParty';
export const COUNTRY = 'PostalAddress/Country/IdentificationCode';

/** The registrations of a party for VAT. */
export function vatSchemes(party: XmlNode): XmlNode[] {
  return select(party, 'PartyTaxScheme').filter((scheme) => some(scheme, 'TaxScheme/ID', 'VAT'));
}

/** The country in front of the party's VAT number, undefined when it has several. */
function countryOfVat({ root }: InvoiceDocument, path: string): string | undefined {
  const schemes = select(root, path).flatMap(vatSchemes);
  const numbers = schemes.flatMap((scheme) => select(scheme, 'CompanyID'));
  return schemes.length > 1 || numbers.length > 1 ? undefined : (numbers[0]?.text.slice(0, 2) ?? '');
}

/**
 * The country of the parties' VAT numbers, else of the address of the first one; `XX` when none is given, or several: rules of single
 * countries do not apply then.
 */
function countryOf(invoice: InvoiceDocument, ...parties: readonly string[]): string {
  for (const party of parties) {
    const country = countryOfVat(invoice, party);
    if (country === undefined) return 'XX';
    if (country !== '') return normalize(country).toUpperCase();
  }
  return exists(invoice.root, `${parties[0]}/${COUNTRY}`) ? addressCountry(invoice, parties[0]!) : 'XX';
}

/** The only country code of the address. */
function codeOf({ root }: InvoiceDocument, party: string): string {
  const [code, ...further] = select(root, `${party}/${COUNTRY}`);
  return code && further.length === 0 ? code.text : '';
}

/** The country of the address in capital letters. */
function addressCountry(invoice: InvoiceDocument, party: string): string {
  return normalize(codeOf(invoice, party)).toUpperCase();
}

/** The seller's country, also by the VAT number of the tax representative. */
export function sellerCountry(invoice: InvoiceDocument): string {
  return invoice.once('country of the seller', () => countryOf(invoice, SELLER, REPRESENTATIVE));
}

export function buyerCountry(invoice: InvoiceDocument): string {
  return invoice.once('country of the buyer', () => countryOf(invoice, BUYER));
}

/** The seller's country by the own VAT number or address. */
export function ownSellerCountry(invoice: InvoiceDocument): string {
  return invoice.once('own country of the seller', () => countryOf(invoice, SELLER));
}

/** The party's address is in this country; `code` may be written in small letters. */
export function isIn(party: string, code: string): Condition {
  return (_node, invoice) => addressCountry(invoice, party) === code;
}

/** The party's country code is exactly this one. */
export function isExactlyIn(party: string, code: string): Condition {
  return (_node, invoice) => codeOf(invoice, party) === code;
}

export function all(...conditions: readonly Condition[]): Condition {
  return (node, invoice) => conditions.every((condition) => condition(node, invoice));
}

export const bothGerman: Condition = all(isIn(SELLER, 'DE'), isIn(BUYER, 'DE'));
