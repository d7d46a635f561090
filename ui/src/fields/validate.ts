import type { Field } from '@docfetch/sdk';
import { type FieldValue, hasValue, type FieldValues, visibleFields } from './field-values';

/** Validation errors of one field, in the order of the checks. The service validates all input again. */
export type FieldErrorCode =
  | 'REQUIRED'
  | 'REQUIRED_CHOICE'
  | 'NOT_A_NUMBER'
  | 'TOO_SMALL'
  | 'TOO_LARGE'
  | 'TOO_EARLY'
  | 'TOO_LATE'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'INVALID_FORMAT'
  | 'INVALID_EMAIL'
  | 'INVALID_URL'
  | 'INVALID_DATE';

export interface FieldError {
  readonly code: FieldErrorCode;
  readonly limit?: number | string;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TEXT_LIMIT = 4096;

/** The errors of the visible fields, by field id. Fields in `storedSecrets` may be empty. */
export function validate(
  fields: readonly Field[],
  values: FieldValues,
  storedSecrets: readonly string[] = [],
): Record<string, FieldError> {
  const errors: Record<string, FieldError> = {};
  for (const field of visibleFields(fields, values)) {
    const error = validateField(field, values[field.id], storedSecrets.includes(field.id));
    if (error) errors[field.id] = error;
  }
  return errors;
}

export function validateField(field: Field, value: FieldValue | undefined, mayBeEmpty = false): FieldError | null {
  if (!hasValue(field, value)) {
    // An omitted value gets its default.
    const needed = field.required && !mayBeEmpty && (field.default === null || field.multiple);
    if (!needed) return null;
    return { code: ['select', 'tree'].includes(field.type) ? 'REQUIRED_CHOICE' : 'REQUIRED' };
  }
  switch (field.type) {
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return { code: 'NOT_A_NUMBER' };
      if (field.min !== null && value < Number(field.min)) return { code: 'TOO_SMALL', limit: field.min };
      if (field.max !== null && value > Number(field.max)) return { code: 'TOO_LARGE', limit: field.max };
      return null;
    case 'date':
      if (typeof value !== 'string' || !DATE.test(value)) return { code: 'INVALID_DATE' };
      if (field.min !== null && value < String(field.min)) return { code: 'TOO_EARLY', limit: field.min };
      if (field.max !== null && value > String(field.max)) return { code: 'TOO_LATE', limit: field.max };
      return null;
    case 'boolean':
    case 'select':
    case 'tree':
      return null;
    default:
      return typeof value === 'string' ? validateText(field, field.type === 'password' ? value : value.trim()) : null;
  }
}

function validateText(field: Field, value: string): FieldError | null {
  const max = Number(field.max ?? TEXT_LIMIT);
  if (value.length > max) return { code: 'TOO_LONG', limit: max };
  if (field.min !== null && value.length < Number(field.min)) return { code: 'TOO_SHORT', limit: Number(field.min) };
  if (field.pattern && !new RegExp(`^(?:${field.pattern})$`, 'u').test(value)) return { code: 'INVALID_FORMAT' };
  if (field.type === 'email' && !EMAIL.test(value)) return { code: 'INVALID_EMAIL' };
  if (field.type === 'url' && !isWebAddress(value)) return { code: 'INVALID_URL' };
  return null;
}

function isWebAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
