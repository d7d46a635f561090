import type { Field } from '@docfetch/sdk';

export type FieldValue = string | number | boolean | string[];
/** Values of a form, by field id. Undefined: no value. */
export type FieldValues = Readonly<Record<string, FieldValue | undefined>>;

/** The initial values of a form: the stored input, else the default. Secrets are never returned by the service. */
export function initialValues(fields: readonly Field[], stored: FieldValues = {}): FieldValues {
  return Object.fromEntries(
    fields.map((field) => [
      field.id,
      field.secret ? undefined : (stored[field.id] ?? field.value ?? field.default ?? undefined),
    ]),
  );
}

/** The visible fields, depending on the values of the fields before them (decisions 4: `visible_when`). */
export function visibleFields(fields: readonly Field[], values: FieldValues): Field[] {
  const visible: Field[] = [];
  for (const field of fields) {
    const condition = field.visible_when;
    const controlling =
      condition && visible.some(({ id }) => id === condition.field) ? values[condition.field] : undefined;
    if (!condition || controlling === condition.equals) visible.push(field);
  }
  return visible;
}

/** Whether the provider may refuse a field. The passwords of documents are secrets that it never gets. */
export const isCredential = ({ id, secret }: Field): boolean => secret && id !== 'document_passwords';

/** False for undefined, blank text and an empty list, except one that removes stored secrets. A password may consist of blanks. */
export function hasValue(field: Field, value: FieldValue | undefined): value is FieldValue {
  if (value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0 || field.secret;
  if (typeof value === 'string') return field.type === 'password' ? value !== '' : value.trim() !== '';
  return !(typeof value === 'number' && Number.isNaN(value));
}

/** The values to send: those of the visible fields that have a value. */
export function filledValues(fields: readonly Field[], values: FieldValues): Record<string, FieldValue> {
  const filled = visibleFields(fields, values).filter((field) => hasValue(field, values[field.id]));
  return Object.fromEntries(filled.map((field) => [field.id, values[field.id]!]));
}
