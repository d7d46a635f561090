import { xsdDay } from '../../calendar-day';
import type { Syntax } from '../engine/invoice-document';
import type { FormatError } from '../engine/format-errors';

/** What an element without children may contain. */
export interface DataType {
  readonly attributes: ReadonlySet<string>;
  readonly required?: string;
  readonly error?: FormatError;
  readonly allows?: (text: string) => boolean;
}

const DECIMAL = /^[ \t\r\n]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[ \t\r\n]*$/;
const BOOLEAN = /^[ \t\r\n]*(?:true|false|0|1)[ \t\r\n]*$/;
const TIME =
  /^[ \t\r\n]*(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?|24:00:00(?:\.0+)?)(?:Z|[+-][0-9]{2}:[0-9]{2})?[ \t\r\n]*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const isDay = (text: string) => xsdDay(text.trim()) !== undefined;
const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const number = { error: 'decimal', allows: (text: string) => DECIMAL.test(text) } as const;

const CODE = 'listID listAgencyID listAgencyName listName listVersionID name languageID listURI listSchemeURI';
const ID = 'schemeID schemeName schemeAgencyID schemeAgencyName schemeVersionID schemeDataURI schemeURI';

/** The data types by the last word of the element's name. */
const COMMON: readonly (readonly [suffix: string, type: DataType])[] = [
  ['Quantity', { ...number, attributes: names('unitCode unitCodeListID unitCodeListAgencyID unitCodeListAgencyName') }],
  ['Numeric', { ...number, attributes: names('format') }],
  ['Percent', { ...number, attributes: names('format') }],
  ['Rate', { ...number, attributes: names('format') }],
  ['Indicator', { attributes: new Set(), error: 'boolean', allows: (text) => BOOLEAN.test(text) }],
  ['Code', { attributes: names(CODE) }],
  ['ID', { attributes: names(ID) }],
];
const AMOUNT = names('currencyID currencyCodeListVersionID');
const MEASURE = names('unitCode unitCodeListVersionID');
const BINARY = {
  attributes: names('format mimeCode encodingCode characterSetCode uri filename'),
  error: 'binary',
  allows: (text: string) => BASE64.test(text.replace(/[ \t\r\n]/g, '')),
} as const;
const STRING: DataType = { attributes: names('format') };
const TEXT: DataType = { attributes: names('languageID languageLocaleID') };

const BY_SYNTAX: Readonly<Record<Syntax, typeof COMMON>> = {
  UBL: [
    ...COMMON,
    ['Amount', { ...number, attributes: AMOUNT, required: 'currencyID' }],
    ['Measure', { ...number, attributes: MEASURE, required: 'unitCode' }],
    ['BinaryObject', { ...BINARY, required: 'mimeCode' }],
    ['Date', { attributes: new Set(), error: 'date', allows: isDay }],
    ['Time', { attributes: new Set(), error: 'time', allows: (text) => TIME.test(text) }],
    ['URI', { attributes: names(ID) }],
  ],
  CII: [
    ...COMMON,
    ['Amount', { ...number, attributes: AMOUNT }],
    ['Measure', { ...number, attributes: MEASURE }],
    ['BinaryObject', BINARY],
    ['DateTimeString', STRING],
    ['DateString', STRING],
    ['IndicatorString', STRING],
    ['Date', { attributes: new Set(), error: 'date', allows: isDay }],
    ['DateTime', { attributes: new Set() }],
  ],
};

const remembered = new Map<string, DataType>();

/** The data type of an element that has no children. */
export function dataTypeOf(name: string, syntax: Syntax): DataType {
  const key = `${syntax} ${name}`;
  let type = remembered.get(key);
  if (!type) {
    type = BY_SYNTAX[syntax].find(([suffix]) => name.endsWith(suffix))?.[1] ?? TEXT;
    remembered.set(key, type);
  }
  return type;
}
