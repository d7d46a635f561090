/** How the values of an invoice are written. */
export interface Notation {
  readonly language: 'de' | 'en';
  date(day: string): string;
  money(hundredths: number): string;
  /** With the currency. */
  price(hundredths: number, currency: string): string;
}

const SYMBOLS: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', CHF: 'CHF' };
const MONTHS = {
  de: ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember'],
  en: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
} as const; // prettier-ignore

const grouped = (hundredths: number, separator: string, point: string) =>
  (hundredths / 100)
    .toFixed(2)
    .replace('.', point)
    .replace(new RegExp(`\\B(?=(\\d{3})+\\${point})`, 'g'), separator);

const german = (hundredths: number) => grouped(hundredths, '.', ',');
const english = (hundredths: number) => grouped(hundredths, ',', '.');
const named = (day: string, language: 'de' | 'en') => {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return language === 'de' ? `${date}. ${MONTHS.de[month - 1]} ${year}` : `${MONTHS.en[month - 1]} ${date}, ${year}`;
};

export const NOTATIONS: readonly Notation[] = [
  {
    language: 'de',
    date: (day) => day.split('-').reverse().join('.'),
    money: german,
    price: (value, currency) => `${german(value)} ${SYMBOLS[currency] ?? currency}`,
  },
  {
    language: 'de',
    date: (day) => named(day, 'de'),
    money: german,
    price: (value, currency) => `${currency} ${german(value)}`,
  },
  {
    language: 'en',
    date: (day) => named(day, 'en'),
    money: english,
    price: (value, currency) => `${SYMBOLS[currency] ?? currency}${english(value)}`,
  },
  {
    language: 'en',
    date: (day) => day,
    money: english,
    price: (value, currency) => `${english(value)} ${currency}`,
  },
];
