import { randomBytes } from 'node:crypto';

/** A stored invoice or credit note. Times are in seconds. */
export interface Entry {
  readonly id: string;
  readonly object: 'invoice' | 'credit_note';
  readonly created: number;
  status: string;
  number: string | null;
  finalizedAt: number | null;
  effectiveAt: number | null;
  paidAt: number | null;
  currency: string;
  total: number;
  net: number | null;
  remaining: number;
  paid: number;
  dueDate: number | null;
  /** Credit notes only: the invoice that is credited. */
  invoice: string | null;
  content: Buffer;
}

export type Right = 'invoices' | 'credit_notes' | 'account';

/** One Stripe account with its keys. */
export class StripeState {
  readonly entries: Entry[] = [];
  readonly keys = new Map<string, ReadonlySet<Right>>();
  private count = 0;

  constructor(readonly id: string) {}

  key(rights: readonly Right[] = ['invoices', 'credit_notes', 'account'], mode = 'live'): string {
    const key = `rk_${mode}_${randomBytes(12).toString('hex')}`;
    this.keys.set(key, new Set(rights));
    return key;
  }

  invoice(created: number, given: Partial<Entry> = {}): Entry {
    return this.add('invoice', created, 'in', given);
  }

  draft(created: number): Entry {
    return this.invoice(created, { status: 'draft', number: null, finalizedAt: null, effectiveAt: null });
  }

  finalize(entry: Entry, at: number): void {
    Object.assign(entry, { status: 'open', number: `A-${entry.id.slice(-6)}`, finalizedAt: at, effectiveAt: at });
  }

  creditNote(created: number, given: Partial<Entry> = {}): Entry {
    return this.add('credit_note', created, 'cn', { status: 'issued', ...given });
  }

  remove(entry: Entry): void {
    this.entries.splice(this.entries.indexOf(entry), 1);
  }

  private add(object: Entry['object'], created: number, prefix: string, given: Partial<Entry>): Entry {
    const n = String(++this.count).padStart(6, '0');
    const entry: Entry = {
      id: `${prefix}_1Fake${n}`,
      object,
      created,
      status: 'open',
      number: `A-${n}`,
      finalizedAt: created + 3600,
      effectiveAt: created + 3600,
      paidAt: null,
      currency: 'eur',
      total: 11900,
      net: 10000,
      remaining: 11900,
      paid: 0,
      dueDate: null,
      invoice: null,
      content: Buffer.from(`%PDF-1.7 ${n} ${this.id}`),
      ...given,
    };
    this.entries.push(entry);
    return entry;
  }
}
