import { decimal } from '../../../shared/accounting/metadata-values';
import { type Evaluate, type Scope, textOf } from './evaluate';
import { dayOf, instantOf, localTime, monthOf } from './instants';
import { majorUnits } from './major-units';

/** The argument of a converter: an expression, words as they stand, or a condition. */
export type ArgumentKind = 'value' | 'words' | 'condition' | 'none';

export interface Converter {
  readonly takes: ArgumentKind;
  /** Whether it is also applied to an absent value. */
  readonly acceptsAbsent?: boolean;
  apply(value: unknown, given: Argument, scope: Scope): unknown;
}

/** The compiled argument; the member of its kind is there. */
export interface Argument {
  readonly value: Evaluate;
  readonly words: readonly string[];
  readonly condition: (scope: Scope) => boolean;
}

const number = (value: unknown): number | undefined => {
  if (typeof value !== 'number' && (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value.trim())))
    return undefined;
  return Number(value);
};

const plain = (apply: Converter['apply']): Converter => ({ takes: 'none', apply });
const ofText = (change: (text: string) => string | undefined): Converter =>
  plain((value) => (typeof value === 'object' ? undefined : change(textOf(value).trim())));
const ofNumber = (change: (value: number) => unknown): Converter =>
  plain((value) => {
    const given = number(value);
    return given === undefined ? undefined : change(given);
  });

/** Every converter of the language. docs/integrate/provider-language.md explains them; a test compares the two. */
export const CONVERTERS: Readonly<Record<string, Converter>> = {
  text: ofText((text) => text),
  upper: ofText((text) => text.toUpperCase()),
  lower: ofText((text) => text.toLowerCase()),
  country: ofText((text) => (/^[a-z]{2}$/i.test(text) ? text.toUpperCase() : undefined)),
  currency: ofText((text) => (/^[a-z]{3}$/i.test(text) ? text.toUpperCase() : undefined)),
  decimal: plain((value) => decimal(value as string)),
  cents: ofNumber((value) => majorUnits(value, 'EUR')),
  minor: {
    takes: 'value',
    apply: (value, { value: currency }, scope) => {
      const [amount, code] = [number(value), currency(scope)];
      return amount === undefined || typeof code !== 'string' ? undefined : majorUnits(amount, code);
    },
  },
  nanos: {
    takes: 'value',
    apply: (value, { value: billionths }, scope) => {
      const [units, nanos] = [number(value) ?? 0, number(billionths(scope)) ?? 0];
      // Both have the same sign; whole numbers, because a sum of fractions would be rounded.
      const sign = units < 0 || nanos < 0 ? '-' : '';
      return decimal(`${sign}${Math.abs(units)}.${String(Math.abs(nanos)).padStart(9, '0').replace(/0+$/, '') || '0'}`);
    },
  },
  abs: plain((value) => (number(value) === undefined ? undefined : textOf(value).trim().replace('-', ''))),
  not_negative: plain((value) => ((number(value) ?? -1) >= 0 ? value : undefined)),
  nonzero: plain((value) => ((number(value) ?? 0) === 0 ? undefined : value)),
  floor: ofNumber(Math.floor),
  ceil: ofNumber(Math.ceil),
  minus: {
    takes: 'value',
    apply: (value, { value: other }, scope) => {
      const [a, b] = [number(value), number(other(scope))];
      // Rounded, because 0.3 - 0.1 is 0.19999999999999998.
      return a === undefined || b === undefined ? undefined : Number((a - b).toFixed(6));
    },
  },
  day: plain((value, _, { zone }) => dayOf(value, zone)),
  month_start: plain((value, _, { zone }) => monthOf(value, zone)?.[0]),
  month_end: plain((value, _, { zone }) => monthOf(value, zone)?.[1]),
  plus_days: {
    takes: 'value',
    apply: (value, { value: days }, scope) => {
      const [day, added] = [dayOf(value, scope.zone), number(days(scope))];
      if (day === undefined || added === undefined || Math.abs(added) > 9_999) return undefined;
      return dayOf(Date.parse(`${day}T00:00:00Z`) / 1000 + added * 86_400, 'UTC');
    },
  },
  seconds: plain((value, _, { zone }) => {
    const moment = instantOf(value, zone);
    return moment === undefined ? undefined : Math.floor(moment);
  }),
  milliseconds: ofNumber((value) => value / 1000),
  iso: plain((value, _, { zone }) => {
    const moment = instantOf(value, zone);
    return moment === undefined ? undefined : `${new Date(moment * 1000).toISOString().slice(0, 19)}Z`;
  }),
  local: plain((value, _, { zone }) => {
    const moment = instantOf(value, zone);
    return moment === undefined ? undefined : localTime(moment, zone);
  }),
  latest: {
    takes: 'value',
    acceptsAbsent: true,
    apply: (value, { value: other }, scope) => {
      const second = other(scope);
      const [a, b] = [instantOf(value, scope.zone), instantOf(second, scope.zone)];
      return b === undefined || (a !== undefined && a >= b) ? value : second;
    },
  },
  join: {
    takes: 'value',
    acceptsAbsent: true,
    apply: (value, { value: other }, scope) => {
      const parts = [value, other(scope)].filter((part) => part !== undefined && typeof part !== 'object');
      return parts.length === 0 ? undefined : parts.map((part) => textOf(part).trim()).join(' ');
    },
  },
  append: {
    takes: 'value',
    apply: (value, { value: other }, scope) => textOf(value).trim() + textOf(other(scope) ?? '').trim(),
  },
  map: {
    takes: 'words',
    apply: (value, { words }) => {
      const found = words.find((word) => word.slice(0, word.indexOf('=')) === textOf(value));
      return found?.slice(found.indexOf('=') + 1);
    },
  },
  when: { takes: 'condition', apply: (value, { condition }, scope) => (condition(scope) ? value : undefined) },
  segment: {
    takes: 'words',
    apply: (value, { words: [start] }) => {
      if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
      return new URL(value).pathname.split('/').find((part) => part.startsWith(start!) && /^[\w.-]{1,200}$/.test(part));
    },
  },
};
