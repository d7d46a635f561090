import type { Field } from '@docfetch/sdk';

export type FieldValue = string | number | boolean | string[];
/** What has been entered so far, by field id. Nothing: not given. */
export type FieldValues = Readonly<Record<string, FieldValue | undefined>>;

/** What a form starts with: the stored input, else the default. Secrets are never known. */
export function initialValues(fields: readonly Field[], stored: FieldValues = {}): FieldValues {
  return Object.fromEntries(
    fields.map((field) => [
      field.id,
      field.secret ? undefined : (stored[field.id] ?? field.value ?? field.default ?? undefined),
    ]),
  );
}

/** The fields that are asked for, given the values of the fields before them (decisions 4: `visible_when`). */
export function visibleFields(fields: readonly Field[], values: FieldValues): Field[] {
  const shown: Field[] = [];
  for (const field of fields) {
    const condition = field.visible_when;
    const known = condition && shown.some(({ id }) => id === condition.field) ? values[condition.field] : undefined;
    if (!condition || known === condition.equals) shown.push(field);
  }
  return shown;
}

/** Nothing, blank text and an empty list mean "not given"; a password may be made of blanks. */
export function hasValue(field: Field, value: FieldValue | undefined): value is FieldValue {
  if (value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'string') return field.type === 'password' ? value !== '' : value.trim() !== '';
  return !(typeof value === 'number' && Number.isNaN(value));
}

/** What to send: the visible fields that have been given something. */
export function filledValues(fields: readonly Field[], values: FieldValues): Record<string, FieldValue> {
  const given = visibleFields(fields, values).filter((field) => hasValue(field, values[field.id]));
  return Object.fromEntries(given.map((field) => [field.id, values[field.id]!]));
}
