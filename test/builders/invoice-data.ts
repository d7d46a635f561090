export interface Party {
  readonly name: string;
  readonly street: string;
  readonly postcode: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly vatId: string;
  readonly taxNumber?: string;
  readonly iban?: string;
  readonly email: string;
  readonly phone: string;
  readonly contact: string;
}

export interface InvoiceLine {
  readonly name: string;
  readonly quantity: number;
  /** Net, in units of the currency, at most two decimals. */
  readonly unitPrice: number;
  /** Percent. */
  readonly vatRate: number;
}

/** The values that a test sets; all others have fixed defaults. */
export interface InvoiceSpec {
  /** 380 invoice, 381 credit note (UNTDID 1001). Default 380. */
  readonly type?: 380 | 381;
  readonly number?: string;
  /** YYYY-MM-DD. */
  readonly date?: string;
  /** Default: 14 days after the date. */
  readonly dueDate?: string;
  /** Gross, as a decimal string. The lines are generated to add up to it. Not together with `lines`. */
  readonly amount?: string;
  readonly lines?: readonly InvoiceLine[];
  /** ISO 4217, with two decimals. Default EUR. */
  readonly currency?: string;
  readonly supplier?: string | Partial<Party>;
  readonly customer?: string | Partial<Party>;
  readonly orderReference?: string;
  /** Number of the invoice that a credit note refers to. */
  readonly precedingInvoice?: string;
  readonly servicePeriod?: { readonly start: string; readonly end: string };
}

export interface TaxGroup {
  readonly rate: number;
  /** `S` standard, `Z` zero rated (UNCL 5305). */
  readonly category: 'S' | 'Z';
  readonly net: number;
  readonly tax: number;
}

/** A complete invoice. All sums are in hundredths of the currency and add up (EN 16931 BR-CO-10 to BR-CO-17). */
export interface InvoiceData {
  readonly type: 380 | 381;
  readonly number: string;
  readonly date: string;
  readonly dueDate: string;
  readonly currency: string;
  readonly supplier: Party;
  readonly customer: Party;
  readonly buyerReference: string;
  readonly orderReference?: string;
  readonly precedingInvoice?: string;
  readonly servicePeriod: { readonly start: string; readonly end: string };
  readonly lines: readonly (InvoiceLine & { readonly net: number })[];
  readonly taxes: readonly TaxGroup[];
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

const SUPPLIER: Party = {
  name: 'Müller & Söhne GmbH',
  street: 'Hafenstraße 7',
  postcode: '20457',
  city: 'Hamburg',
  country: 'DE',
  vatId: 'DE123456788',
  taxNumber: '22/815/08154',
  iban: 'DE89370400440532013000',
  email: 'rechnung@mueller.example',
  phone: '+49 40 1234567',
  contact: 'Erika Müller',
};

const CUSTOMER: Party = {
  name: 'Beispiel AG',
  street: 'Lindenallee 12',
  postcode: '10115',
  city: 'Berlin',
  country: 'DE',
  vatId: 'DE987654323',
  email: 'eingang@beispiel.example',
  phone: '+49 30 7654321',
  contact: 'Max Beispiel',
};

/** Adds defaults for the values that the test does not set. Throws when amounts are invalid. */
export function invoiceData(spec: InvoiceSpec = {}): InvoiceData {
  if (spec.amount !== undefined && spec.lines) throw new Error('Either an amount or lines, not both');
  const { type = 380, number = 'R-2026-0001', date = '2026-03-02', currency = 'EUR' } = spec;
  const given = spec.lines ?? linesFor(cents(spec.amount ?? '1190.00'));
  const lines = given.map((line) => ({ ...line, net: Math.round(line.quantity * Math.round(line.unitPrice * 100)) }));
  const rates = [...new Set(lines.map(({ vatRate }) => vatRate))].sort((a, b) => b - a);
  const taxes = rates.map((rate): TaxGroup => {
    const net = sum(lines.filter(({ vatRate }) => vatRate === rate).map((line) => line.net));
    return { rate, category: rate === 0 ? 'Z' : 'S', net, tax: taxOn(net, rate) };
  });
  const [net, tax] = [sum(taxes.map((group) => group.net)), sum(taxes.map((group) => group.tax))];
  return {
    type,
    number,
    date,
    currency,
    dueDate: spec.dueDate ?? addDays(date, 14),
    supplier: party(SUPPLIER, spec.supplier),
    customer: party(CUSTOMER, spec.customer),
    buyerReference: '04011000-12345-34',
    orderReference: spec.orderReference,
    precedingInvoice: spec.precedingInvoice,
    servicePeriod: spec.servicePeriod ?? { start: `${date.slice(0, 7)}-01`, end: date },
    lines,
    taxes,
    net,
    tax,
    gross: net + tax,
  };
}

/** `1190.00` for 119000 hundredths. */
export function decimal(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

/**
 * Lines that add up to a gross amount. Not every amount is a net amount plus 19 percent of it, rounded: 0.03 is not. One
 * hundredth at 7 percent, which is free of tax by rounding, then makes up the difference.
 */
function linesFor(gross: number): InvoiceLine[] {
  for (const postage of [0, 1]) {
    const guess = Math.round(((gross - postage) * 100) / 119);
    const net = [guess - 1, guess, guess + 1].find((each) => each + taxOn(each, 19) === gross - postage);
    if (net === undefined || net < 0) continue;
    const main = { name: 'Beratung und Einrichtung', quantity: 1, unitPrice: net / 100, vatRate: 19 };
    const extra = { name: 'Porto', quantity: 1, unitPrice: postage / 100, vatRate: 7 };
    return [...(net > 0 ? [main] : []), ...(postage > 0 ? [extra] : [])];
  }
  throw new Error(`No lines come to ${decimal(gross)}`);
}

function taxOn(net: number, rate: number): number {
  return Math.round((net * rate) / 100);
}

function cents(amount: string): number {
  if (!/^\d+\.\d\d$/.test(amount) || amount === '0.00')
    throw new Error(`${amount} is no positive amount with two decimals`);
  return Number(amount.replace('.', ''));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function party(base: Party, given: string | Partial<Party> = {}): Party {
  return { ...base, ...(typeof given === 'string' ? { name: given } : given) };
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}
