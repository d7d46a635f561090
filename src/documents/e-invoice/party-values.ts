import type { Party } from '../metadata';
import type { PartyFields } from './invoice-fields';

const EMAIL = /^[^\s@<>",;:]{1,64}@[^\s@<>",;:]{1,190}\.[A-Za-z]{2,63}$/;

/** The IBAN in upper case without spaces; undefined when its length or check digits are wrong (ISO 13616). */
export function iban(text: string): string | undefined {
  const compact = text.replace(/\s+/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(compact)) return undefined;
  const rotated = compact.slice(4) + compact.slice(0, 4);
  const digits = rotated.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n ? compact : undefined;
}

/** A party of the metadata; undefined when nothing about it is readable. */
export function partyOf(fields: PartyFields, accounts: readonly string[]): Party | undefined {
  const vatId = fields.vatId?.replace(/\s+/g, '');
  const party: Party = {
    ...(fields.name !== undefined && { name: fields.name }),
    // BR-CO-09: a VAT identifier begins with its country; 1A is Kosovo.
    ...(vatId !== undefined && /^(?:[A-Z]{2}|1A)[A-Z0-9+*.-]{2,20}$/i.test(vatId) && { vat_id: vatId }),
    ...(fields.taxNumber !== undefined && { tax_number: fields.taxNumber }),
    ...(fields.country !== undefined && /^[A-Z]{2}$/.test(fields.country) && { country: fields.country }),
    ...(fields.email !== undefined && EMAIL.test(fields.email) && { email: fields.email }),
  };
  const account = accounts.map(iban).find((each) => each !== undefined);
  if (account !== undefined) party.iban = account;
  return Object.keys(party).length > 0 ? party : undefined;
}
