import { Unreadable } from './unreadable';

/**
 * `xs:decimal` as a bigint that counts 10^-24: the product of two values with twelve decimal places is exact. Undefined is the
 * empty sequence of XPath: arithmetic with it is undefined, and no comparison with it holds.
 */
export type Decimal = bigint;

const PLACES = 24;
const ONE = 10n ** BigInt(PLACES);
const CENT = ONE / 100n;
const LEXICAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const DOUBLE = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?INF|NaN)$/;
const LONGEST = 200;

export const ZERO: Decimal = 0n;

export function whole(value: number): Decimal {
  return BigInt(value) * ONE;
}

/** Reads a decimal. @throws Unreadable */
export function toDecimal(text: string): Decimal {
  const trimmed = text.trim();
  const found = trimmed.length <= LONGEST ? LEXICAL.exec(trimmed) : null;
  const [, sign, units = '', fraction = ''] = found ?? [];
  if (!found || units + fraction === '') throw new Unreadable('decimal');
  const value = BigInt(units + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
  return sign === '-' ? -value : value;
}

/** Reads a number as `xs:double`, which some of the artifacts' sums use. @throws Unreadable */
export function toDouble(text: string): number {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST || !DOUBLE.test(trimmed)) throw new Unreadable('decimal');
  return trimmed.endsWith('INF') ? (trimmed.startsWith('-') ? -Infinity : Infinity) : Number(trimmed);
}

/** The exact value of a double. */
export function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value)) throw new Unreadable('decimal');
  return toDecimal(Math.abs(value) < 1e21 ? value.toFixed(PLACES) : BigInt(value).toString());
}

/** The double nearest to a decimal. */
export function doubleOf(value: Decimal): number {
  const digits = (value < 0n ? -value : value).toString().padStart(PLACES + 1, '0');
  return Number(`${value < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`);
}

type Maybe = Decimal | undefined;

export function plus(a: Maybe, b: Maybe): Maybe {
  return a === undefined || b === undefined ? undefined : a + b;
}

export function minus(a: Maybe, b: Maybe): Maybe {
  return a === undefined || b === undefined ? undefined : a - b;
}

export function times(a: Maybe, b: Maybe): Maybe {
  return a === undefined || b === undefined ? undefined : (a * b) / ONE;
}

/** The quotient to 18 decimal places, halves towards zero, as Saxon divides decimals. */
export function dividedBy(a: Maybe, b: Maybe): Maybe {
  if (a === undefined || b === undefined || b === 0n) return undefined;
  const step = 10n ** BigInt(PLACES - 18);
  const [above, below] = [abs(a) * (ONE / step), abs(b)];
  const rest = above % below;
  const quotient = (above / below + (rest * 2n > below ? 1n : 0n)) * step;
  return a < 0n === b < 0n ? quotient : -quotient;
}

function abs(value: Decimal): Decimal {
  return value < 0n ? -value : value;
}

export function hundredth(a: Maybe): Maybe {
  return a === undefined ? undefined : a / 100n;
}

export function absolute(a: Maybe): Maybe {
  return a === undefined ? a : abs(a);
}

/** Rounds to cents, halves upwards, as `round` of XPath does. */
export function toCents(a: Maybe): Maybe {
  return a === undefined ? undefined : roundTo(a, CENT);
}

/** Rounds to whole numbers, halves upwards. */
export function toUnits(a: Maybe): Maybe {
  return a === undefined ? undefined : roundTo(a, ONE);
}

function roundTo(value: Decimal, step: bigint): Decimal {
  const raised = value + step / 2n;
  return raised - (((raised % step) + step) % step);
}

export function equal(a: Maybe, b: Maybe): boolean {
  return a !== undefined && a === b;
}

export function less(a: Maybe, b: Maybe): boolean {
  return a !== undefined && b !== undefined && a < b;
}

export function total(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => sum + value, ZERO);
}

/** Rounds a double to cents, as `round(x * 10 * 10) div 100` does in `xs:double`. */
export function doubleToCents(value: number): number {
  return Math.round(value * 10 * 10) / 100;
}
