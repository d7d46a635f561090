import { toDouble } from '../../engine/exact-decimal';
import { Unreadable } from '../../engine/unreadable';

/** `number()` of XPath: NaN for what is no number. */
export function numberOf(text: string): number {
  try {
    return toDouble(text);
  } catch (error) {
    if (error instanceof Unreadable) return NaN;
    throw error;
  }
}

export const isNumber = (text: string) => !Number.isNaN(numberOf(text));
