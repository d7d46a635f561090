/** The metadata of a document (decisions 4 "Metadata"): every key is optional, nothing is guessed. */

export const DOCUMENT_TYPES = [
  'invoice',
  'credit_note',
  'receipt',
  'bank_statement',
  'reminder',
  'delivery_note',
  'order_confirmation',
  'contract',
  'document',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export interface Party {
  name?: string;
  vat_id?: string;
  tax_number?: string;
  iban?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  email?: string;
}

export const PAYMENT_STATUSES = ['OPEN', 'PAID', 'PARTIAL'] as const;
export const E_INVOICE_FORMATS = ['XRECHNUNG', 'ZUGFERD', 'FACTURX', 'UBL', 'CII'] as const;

/**
 * Where a value was found: in the XML of an e-invoice, in the answers of the provider, in the mail, or in the text of a PDF, and
 * then only if it is proven (decisions 4 "Provenance").
 */
export const PROVENANCES = ['E_INVOICE', 'PROVIDER', 'MAIL', 'TEXT'] as const;
export type Provenance = (typeof PROVENANCES)[number];
/** The results of SPF, DKIM and DMARC (RFC 8601 section 2.7). */
export const MAIL_RESULTS = [
  'PASS',
  'FAIL',
  'SOFTFAIL',
  'NEUTRAL',
  'NONE',
  'POLICY',
  'TEMPERROR',
  'PERMERROR',
] as const;
export type MailResult = (typeof MAIL_RESULTS)[number];

/** How a received mail was authenticated. Domains are set when their result is `PASS`. */
export interface MailAuthentication {
  spf: MailResult;
  spf_domain?: string;
  dkim: MailResult;
  dkim_domain?: string;
  dmarc: MailResult;
  /** The entry of the connection's forwarding mailboxes through which the mail has come. */
  forwarded_by?: string;
}

/** Another form of an invoice, whose bytes can be downloaded. */
export interface RenditionMetadata {
  rendition_id: string;
  filename: string;
  mime_type: string;
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

/** The keys that have no provenance, because the service determines them itself. */
export const OWN_KEYS = ['provenance', 'encrypted', 'damaged', 'renditions', 'same_as'] as const;
type OwnKey = (typeof OWN_KEYS)[number];

/** Amounts are positive decimal strings (`"1190.00"`), dates `YYYY-MM-DD`, datetimes RFC 3339 in UTC. */
export interface Metadata {
  date?: string;
  /** Gross amount. */
  amount?: string;
  /** ISO 4217. */
  currency?: string;
  number?: string;
  due_date?: string;
  amount_net?: string;
  amount_tax?: string;
  amount_due?: string;
  service_start?: string;
  service_end?: string;
  supplier?: Party;
  customer?: Party;
  order_reference?: string;
  preceding_invoice?: string;
  payment?: { status?: (typeof PAYMENT_STATUSES)[number]; method?: string; date?: string };
  /** True when the document cannot be opened without a password or a key; otherwise absent. */
  encrypted?: true;
  /** True when a PDF has no readable end, as after an incomplete transfer; otherwise absent. */
  damaged?: true;
  /** The number of this version of the file; absent for the first one that was fetched. */
  revision?: number;
  /** The other forms in which the invoice was received. */
  renditions?: RenditionMetadata[];
  /** Transactions of the identity with the same invoice. */
  same_as?: readonly string[];
  e_invoice?: {
    format: (typeof E_INVOICE_FORMATS)[number];
    profile?: string;
    /** Whether no fatal rule of `ruleset` failed; absent, as what follows, when no rules apply. */
    valid?: boolean;
    ruleset?: { name: string; version: string };
    errors?: number;
    warnings?: number;
  };
  source?: {
    kind?: string;
    path?: string;
    url?: string;
    subject?: string;
    sender?: { name?: string; address?: string };
    authentication?: MailAuthentication;
    received_at?: string;
    modified_at?: string;
  };
  /** Where each other key was found; none for those that the service determines itself. */
  provenance?: { [key in Exclude<keyof Metadata, OwnKey>]?: Provenance };
}
