import type { InvalidField } from '../../platform/errors/errors';
import type { Localized } from '../../platform/i18n/lang';
import { isPlainText } from '../../platform/errors/plain-text';
import type { FieldSpec } from './field';

export type FieldInput = Readonly<Record<string, unknown>>;

export interface ValidatedInput {
  /** Normalized input of the visible fields, with defaults. */
  readonly values: Record<string, unknown>;
  /** All missing or invalid fields, not only the first (decisions 2). */
  readonly invalidFields: InvalidField[];
}

const TEXT_LIMIT = 4096;
const MAX_ITEMS = 1000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Validates input against a list of fields. Unknown fields are errors; hidden ones are dropped. */
export function validateFields(fields: readonly FieldSpec[], input: FieldInput): ValidatedInput {
  const invalidFields: InvalidField[] = Object.keys(input)
    .filter((id) => !fields.some((field) => field.id === id))
    .map((id) => ({ field: `fields.${id}`, code: 'UNKNOWN_PROPERTY' }));
  const values: Record<string, unknown> = {};

  for (const field of fields) {
    if (!isVisible(field, values)) continue;
    const value = clean(field, Object.hasOwn(input, field.id) ? input[field.id] : undefined);
    if (value === undefined) {
      if (field.required) invalidFields.push(invalidField(field, 'REQUIRED'));
      continue;
    }
    const wrong = check(field, value);
    if (wrong) invalidFields.push(wrong);
    else values[field.id] = value;
  }
  return { values, invalidFields };
}

/** Whether a field is visible, given the values of the fields before it. */
export function isVisible(field: FieldSpec, values: FieldInput): boolean {
  return !field.visibleWhen || values[field.visibleWhen.field] === field.visibleWhen.equals;
}

/** Null, blank text and an empty list count as not given: the default applies. */
function clean(field: FieldSpec, value: unknown): unknown {
  const text = typeof value === 'string' && field.type !== 'password' ? value.trim() : value;
  const given = text !== undefined && text !== null && text !== '' && !(Array.isArray(text) && text.length === 0);
  return given ? text : field.default;
}

function check(field: FieldSpec, value: unknown): InvalidField | null {
  if (field.multiple) {
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
      return invalidField(field, 'INVALID_TYPE_ARRAY');
    const limit = field.maxItems ?? MAX_ITEMS;
    if (value.length > limit) return invalidField(field, 'TOO_MANY', { limit });
    return value.map((item: string) => checkText(field, item) ?? checkChoice(field, item)).find(Boolean) ?? null;
  }
  switch (field.type) {
    case 'number':
      return checkNumber(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? null : invalidField(field, 'INVALID_TYPE_BOOLEAN');
    case 'date':
      return checkDate(field, value);
    default:
      if (typeof value !== 'string') return invalidField(field, 'INVALID_TYPE_STRING');
      return checkText(field, value) ?? checkChoice(field, value);
  }
}

function checkNumber(field: FieldSpec, value: unknown): InvalidField | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return invalidField(field, 'INVALID_TYPE_NUMBER');
  if (field.min !== undefined && value < Number(field.min))
    return invalidField(field, 'TOO_SMALL', { limit: field.min });
  if (field.max !== undefined && value > Number(field.max))
    return invalidField(field, 'TOO_LARGE', { limit: field.max });
  return null;
}

function checkDate(field: FieldSpec, value: unknown): InvalidField | null {
  const date = typeof value === 'string' && DATE.test(value) ? new Date(`${value}T00:00:00Z`) : null;
  // `2026-02-31` would be parsed as March 3.
  if (!date || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value) {
    return invalidField(field, 'INVALID_DATE');
  }
  if (field.min !== undefined && value < String(field.min))
    return invalidField(field, 'TOO_SMALL', { limit: field.min });
  if (field.max !== undefined && value > String(field.max))
    return invalidField(field, 'TOO_LARGE', { limit: field.max });
  return null;
}

function checkText(field: FieldSpec, value: string): InvalidField | null {
  const max = Number(field.max ?? TEXT_LIMIT);
  // PostgreSQL stores no null characters and no lone surrogates.
  if (!isPlainText(value)) return invalidField(field, 'INVALID_FORMAT');
  if (value.length > max) return invalidField(field, 'TOO_LONG', { limit: max });
  if (field.min !== undefined && value.length < Number(field.min))
    return invalidField(field, 'TOO_SHORT', { limit: field.min });
  if (field.pattern && !new RegExp(`^(?:${field.pattern})$`, 'u').test(value))
    return invalidField(field, 'INVALID_FORMAT');
  if (field.type === 'email' && !EMAIL.test(value)) return invalidField(field, 'INVALID_EMAIL');
  if (field.type === 'url' && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) {
    return invalidField(field, 'INVALID_URL');
  }
  return null;
}

/** Only closed lists can be checked here; the options of a tree are known to the provider only. */
function checkChoice(field: FieldSpec, value: string): InvalidField | null {
  if (field.type !== 'select' || !field.options || field.hasMore) return null;
  if (field.options.some((option) => option.value === value && option.selectable !== false)) return null;
  return invalidField(field, 'INVALID_OPTION', { options: field.options.map((option) => option.value).join(', ') });
}

function invalidField(
  field: FieldSpec,
  code: string,
  params: Record<string, string | number | Localized> = {},
): InvalidField {
  return { field: `fields.${field.id}`, code, params: { label: field.label, ...params } };
}
