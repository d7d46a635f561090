import { randomBytes } from 'node:crypto';

export type Model = 'Invoice' | 'CreditNote' | 'Voucher';

/** One stored invoice, credit note or voucher with its PDF. */
export interface Entry {
  readonly id: string;
  readonly model: Model;
  number: string | null;
  /** `YYYY-MM-DD` in Berlin. */
  date: string;
  status: '50' | '100' | '200' | '750' | '1000';
  /** Invoices only. */
  type: 'RE' | 'WKR' | 'SR' | 'MA' | 'TR' | 'AR' | 'ER';
  gross: string;
  net: string;
  tax: string;
  currency: string;
  foreign: { gross: string; net: string; tax: string } | null;
  paid: number;
  contact: Contact | null;
  createdAt: string;
  content: Buffer;
  /** The known effect when a PDF is requested without `preventSendBy`. */
  isSent: boolean;
  /** Further members in the API's representation. */
  more: Readonly<Record<string, unknown>>;
}

export interface Contact {
  readonly id: string;
  readonly name: string | null;
  readonly surename?: string;
  readonly familyname?: string;
  readonly vatNumber?: string;
}

/** The documents of one sevdesk account. Each token of the account may read them, unless a right is removed. */
export class SevdeskState {
  readonly entries: Entry[] = [];
  readonly tokens = new Set<string>();
  /** The models that the token's user may not see. */
  readonly hidden = new Set<string>();
  private ids = 1000;

  constructor(readonly clientId: string) {}

  /** A new user's token: 32 hexadecimal digits. */
  token(): string {
    const token = randomBytes(16).toString('hex');
    this.tokens.add(token);
    return token;
  }

  invoice(given: Partial<Entry> = {}): Entry {
    return this.add('Invoice', `RE-${++this.ids}`, given);
  }

  creditNote(given: Partial<Entry> = {}): Entry {
    return this.add('CreditNote', `GU-${++this.ids}`, given);
  }

  /** A voucher of something bought; `status` 100 is unpaid. */
  voucher(given: Partial<Entry> = {}): Entry {
    return this.add('Voucher', `B-${++this.ids}`, { status: '1000', ...given });
  }

  remove({ id }: Entry): void {
    this.entries.splice(
      this.entries.findIndex((entry) => entry.id === id),
      1,
    );
  }

  private add(model: Model, number: string, given: Partial<Entry>): Entry {
    const entry: Entry = {
      id: String(++this.ids),
      model,
      number: given.status === '100' ? null : number,
      date: '2026-11-02',
      status: '200',
      type: 'RE',
      gross: '119',
      net: '100',
      tax: '19',
      currency: 'EUR',
      foreign: null,
      paid: 0,
      contact: { id: '7', name: 'Müller & Söhne GmbH', vatNumber: 'DE123456789' },
      createdAt: `${given.date ?? '2026-11-02'}T09:30:00+01:00`,
      content: Buffer.from(`%PDF-1.7 ${number} ${this.clientId}`),
      isSent: false,
      more: {},
      ...given,
    };
    this.entries.push(entry);
    return entry;
  }
}
