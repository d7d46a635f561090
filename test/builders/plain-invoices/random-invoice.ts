import { invoiceData, type InvoiceData, type InvoiceLine, type Party } from '../invoice-data';

/** Pseudorandom numbers from a seed, so that the same seed gives the same invoices (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SUPPLIERS = [
  'Nordlicht Software GmbH',
  'Bäckerei Hansen e.K.',
  'Weber & Partner KG',
  'Greenfield Hosting Ltd',
  'Alpha Druck AG',
  'Süd-Logistik GmbH & Co. KG',
  'Bright Tools Inc.',
  'Kanzlei Morgenstern PartG mbB',
];
const CUSTOMERS = [
  'Beispiel AG',
  'Muster Handels GmbH',
  'Praxis Dr. Sommer',
  'Jane Doe Consulting',
  'Verein für Musik e.V.',
];
const CITIES = [
  ['20457', 'Hamburg'],
  ['80331', 'München'],
  ['50667', 'Köln'],
  ['01067', 'Dresden'],
] as const;
const STREETS = ['Hafenstraße', 'Lindenallee', 'Am Markt', 'Ringstraße', 'Bahnhofstraße'];
const ITEMS = [
  'Beratung und Einrichtung',
  'Hosting Paket M',
  'Druckerpapier A4, 500 Blatt',
  'Wartung März',
  'Consulting services',
  'Support plan "Gold"',
  'Versandkosten',
  'Fachbuch Rechnungswesen',
];
const NUMBERS: readonly ((n: number, year: string) => string)[] = [
  (n, year) => `R-${year}-${String(n).padStart(4, '0')}`,
  (n) => String(100_000 + n),
  (n, year) => `${year}/${n}`,
  (n, year) => `INV${year}${String(n).padStart(5, '0')}`,
  (n, year) => `RE${year.slice(2)}.${n}`,
  (n) => `${n}-A`,
];

/** An invoice with values that vary in everything that a reader has to recognize, and with valid check digits. */
export function randomInvoice(random: () => number): InvoiceData {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
  const day = (from: string, upTo: number) =>
    new Date(Date.parse(from) + Math.floor(random() * upTo) * 86_400_000).toISOString().slice(0, 10);
  const party = (name: string): Party => {
    const [postcode, city] = pick(CITIES);
    const street = `${pick(STREETS)} ${1 + Math.floor(random() * 90)}`;
    const vatId = germanVatId(String(1 + Math.floor(random() * 9)) + digits(7));
    const iban = germanIban(digits(18));
    const domain = name.toLowerCase().replace(/[^a-z]+/g, '-');
    const email = `rechnung@${domain}.example`;
    return {
      name,
      street,
      postcode,
      city,
      country: 'DE',
      vatId,
      taxNumber: `${digits(2)}/${digits(3)}/${digits(5)}`,
      iban,
      email,
      phone: `+49 40 ${digits(7)}`,
      contact: 'Erika Müller',
    };
  };
  const rates = random() < 0.3 ? [19, 7] : [19];
  const line = (): InvoiceLine => ({
    name: pick(ITEMS),
    quantity: 1 + Math.floor(random() * 9),
    unitPrice: Math.round(random() * (random() < 0.2 ? 250_000 : 20_000) + 100) / 100,
    vatRate: pick(rates),
  });
  const date = day('2024-01-01', 900);
  const number = pick(NUMBERS)(1 + Math.floor(random() * 9_000), date.slice(0, 4));
  return invoiceData({
    number,
    date,
    dueDate: day(date, 40),
    lines: Array.from({ length: 1 + Math.floor(random() * 6) }, line),
    currency: random() < 0.85 ? 'EUR' : pick(['CHF', 'GBP']),
    supplier: party(pick(SUPPLIERS)),
    customer: party(pick(CUSTOMERS)),
  });
}

/** With its check digit (ISO 7064, MOD 11,10). */
export function germanVatId(first: string): string {
  let product = 10;
  for (const digit of first) product = (((product + Number(digit)) % 10 || 10) * 2) % 11;
  return `DE${first}${(11 - product) % 10}`;
}

/** With its check digits (ISO 13616). */
export function germanIban(account: string): string {
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}
