import { createHash } from 'node:crypto';
import type { DocumentType, Metadata, Party } from '../../../documents/metadata';
import { folderOf } from './folders';
import type { Format } from '../../core/sandbox-portal';

export const KINDS = ['invoice', 'credit_note', 'e_invoice'] as const;
export type Kind = (typeof KINDS)[number];

export interface Supplier extends Required<Pick<Party, 'name' | 'vat_id' | 'country' | 'email'>> {
  readonly street: string;
  readonly city: string;
  readonly postcode: string;
  readonly contact: string;
  readonly phone: string;
  readonly iban: string;
}

/** A party of an invoice; only the seller has a contact. */
export type FixtureParty = Pick<Supplier, 'name' | 'vat_id' | 'country' | 'street' | 'city' | 'postcode' | 'email'> &
  Partial<Pick<Supplier, 'contact' | 'phone'>>;

/** A generated document of the portal, determined by user, index and date. */
export interface FixtureDocument {
  readonly documentType: DocumentType;
  readonly format: Format;
  /** The portal's id, stable when the file is rendered again. */
  readonly externalId: string;
  readonly number: string;
  readonly date: string;
  readonly dueDate: string;
  readonly supplier: Supplier;
  readonly item: string;
  /** Percent. */
  readonly taxRate: number;
  /** Cents, positive. */
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
  /** The invoice that a credit note corrects. */
  readonly preceding?: string;
}

/** The type and format of a document, generated or placed by a command. */
export type PlacedKind = Pick<FixtureDocument, 'documentType' | 'format'>;

export const CUSTOMER = {
  name: 'Muster & Söhne GmbH',
  vat_id: 'DE222222222',
  country: 'DE',
  street: 'Beispielweg 5',
  city: 'Musterstadt',
  postcode: '12345',
  email: 'rechnungen@muster.example',
  /** Required by XRechnung (BT-10). */
  reference: '04011000-12345-03',
};

const SUPPLIERS: readonly Supplier[] = [
  supplier('Musterstrom AG', 'DE111111111', 'Am Umspannwerk 1', '20095', 'Hamburg', 'rechnung@musterstrom.example'),
  supplier('Beispiel Telekom GmbH', 'DE333333333', 'Leitungsgasse 12', '53113', 'Bonn', 'billing@telekom.example'),
  supplier(
    'Größer & Töchter Bürobedarf KG',
    'DE444444444',
    'Papierstraße 7',
    '80331',
    'München',
    'post@buerobedarf.example',
  ),
  supplier(
    'Wolkenheim Hosting GmbH',
    'DE555555555',
    'Serverallee 443',
    '60311',
    'Frankfurt',
    'invoice@wolkenheim.example',
  ),
];
const ITEMS = ['Monatlicher Grundpreis', 'Verbrauch laut Zähler', 'Büromaterial', 'Virtuelle Server', 'Wartung'];
const INVOICE: PlacedKind = { documentType: 'invoice', format: 'PDF' };
const CYCLE: readonly PlacedKind[] = [
  INVOICE,
  { documentType: 'credit_note', format: 'PDF' },
  { documentType: 'invoice', format: 'XML' },
  INVOICE,
  INVOICE,
];
/** The prefix of document numbers. */
const PREFIXES: Readonly<Record<DocumentType, string>> = {
  invoice: 'RE',
  credit_note: 'GS',
  receipt: 'QU',
  bank_statement: 'KA',
  reminder: 'MA',
  delivery_note: 'LS',
  order_confirmation: 'AB',
  contract: 'VT',
  document: 'DK',
};
const NEWEST_DAY = '2025-12-31';

/** The day of an initial document; index 0 is the newest. */
export function initialDate(index: number): string {
  return addDays(NEWEST_DAY, -index);
}

/** Generates the document `index` (from 0) of a user, with `ordered` among the placed ones. The date matters for later documents only. */
export function fixtureDocument(user: string, index: number, date: string, ordered?: PlacedKind): FixtureDocument {
  const seed = digest(`${userId(user)}/${ordered ? 'placed/' : ''}${index}`);
  const { documentType, format } = ordered ?? CYCLE[index % CYCLE.length]!;
  const counter = `${ordered ? 'P' : ''}${String(index + 1).padStart(5, '0')}`;
  const net = 1_000 + (seed.readUInt32BE(0) % 500_000);
  const taxRate = seed[4]! % 4 === 0 ? 7 : 19;
  const tax = Math.round((net * taxRate) / 100);
  return {
    documentType,
    format,
    externalId: `SBX-${userId(user).slice(0, 8).toUpperCase()}-${counter}`,
    number: `${PREFIXES[documentType]}-${date.slice(0, 4)}-${counter}`,
    date,
    dueDate: addDays(date, 14),
    supplier: SUPPLIERS[seed[5]! % SUPPLIERS.length]!,
    item: ITEMS[seed[6]! % ITEMS.length]!,
    taxRate,
    net,
    tax,
    gross: net + tax,
    ...(documentType === 'credit_note'
      ? { preceding: `RE-${date.slice(0, 4)}-${90_000 + (seed.readUInt16BE(8) % 10_000)}` }
      : {}),
  };
}

/** The kind in the second step's `kinds`; null for types that only commands place. */
export function kindOf({ documentType, format }: PlacedKind): Kind | null {
  if (format !== 'PDF') return 'e_invoice';
  return documentType === 'invoice' || documentType === 'credit_note' ? documentType : null;
}

/** The metadata in the portal's list. */
export function metadataOf(document: FixtureDocument): Metadata {
  const { name, vat_id, country, email } = document.supplier;
  return {
    date: document.date,
    amount: euros(document.gross),
    currency: 'EUR',
    number: document.number,
    ...(document.documentType === 'credit_note' ? {} : { due_date: document.dueDate }),
    amount_net: euros(document.net),
    amount_tax: euros(document.tax),
    supplier: { name, vat_id, country, email },
    customer: { name: CUSTOMER.name, vat_id: CUSTOMER.vat_id, country: CUSTOMER.country },
    ...(document.preceding ? { preceding_invoice: document.preceding } : {}),
    source: { kind: 'portal', path: folderOf(document.date) },
  };
}

/** A permanent id, the same for ` Demo` and `demo`. */
export function userId(user: string): string {
  return digest(`sandbox user ${user.trim().toLowerCase()}`).toString('hex').slice(0, 32);
}

/** `123456` cents as `"1234.56"`. */
export function euros(cents: number): string {
  return (cents / 100).toFixed(2);
}

function supplier(
  name: string,
  vat_id: string,
  street: string,
  postcode: string,
  city: string,
  email: string,
): Supplier {
  // A bank's published example IBAN without an account.
  const iban = 'DE02120300000000202051';
  return {
    name,
    vat_id,
    country: 'DE',
    email,
    street,
    postcode,
    city,
    contact: 'Kundenservice',
    phone: '+49 30 123456',
    iban,
  };
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
