import type { Fact } from '../../documents/e-invoice/readable/readable-invoice';
import { formatValue, LOCALES, type Lang } from '../../platform/i18n/lang';

/** Reads a text of `readable.json` by its key and fills in values; returns the key when there is none. */
export type ReadableText = (key: string, values?: Readonly<Record<string, string>>) => string;

/** A decimal number of XML Schema. */
const DECIMAL = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})$/;
/** A code of a list; others are shown as written. */
const CODE = /^[A-Z0-9]{1,5}$/;
const MAX_FRACTION_DIGITS = 20;

/** Formats values for the reader of a page: plain text, which still has to be escaped. */
export class FactFormatter {
  private readonly countries: Intl.DisplayNames;
  private readonly decimals: Intl.NumberFormat;
  private readonly amounts: Intl.NumberFormat;

  constructor(
    private readonly lang: Lang,
    private readonly text: ReadableText,
  ) {
    const locale = LOCALES[lang];
    this.countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
    this.decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: MAX_FRACTION_DIGITS });
    this.amounts = new Intl.NumberFormat(locale, {
      minimumFractionDigits: 2,
      maximumFractionDigits: MAX_FRACTION_DIGITS,
    });
  }

  /** The value; what cannot be read as its kind is shown as written. */
  show({ kind, value, unit }: Fact): string {
    switch (kind) {
      case 'amount':
        return join(number(value, this.amounts), unit);
      case 'number':
        return join(number(value, this.decimals), unit === undefined ? undefined : this.code('unit', unit));
      case 'percent':
        return join(number(value, this.decimals), '%');
      case 'day':
        return formatValue(value, this.lang);
      case 'country':
        return /^[A-Z]{2}$/.test(value) ? (this.countries.of(value) ?? value) : value;
      case 'type':
      case 'vat_category':
      case 'payment_means':
        return this.code(kind, value);
      default:
        return unit === undefined ? value : `${value} (${unit})`;
    }
  }

  /** The name of a code, or the code. */
  code(list: string, code: string): string {
    if (!CODE.test(code)) return code;
    const key = `${list}.${code}`;
    const name = this.text(key);
    return name === key ? code : name;
  }
}

/** A decimal number in the reader's format, with all its digits. */
function number(value: string, format: Intl.NumberFormat): string {
  // As a string: a number would round what has more than fifteen digits.
  return DECIMAL.test(value) ? format.format(value.replace(/^\+/, '') as unknown as number) : value;
}

/** A value with its unit, on one line. */
const join = (value: string, unit: string | undefined): string =>
  unit === undefined ? value : `${value}\u00a0${unit}`;
