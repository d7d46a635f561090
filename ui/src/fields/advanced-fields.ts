import type { Field } from '@docfetch/sdk';
import type { FieldValues } from './field-values';

/** Fields that few users change, by the ids that all integrations use. */
const ADVANCED = ['port', 'time_zone', 'startdate', 'document_passwords'];

/** Ids of the fields to fold. A required field without a default is never folded. */
export function advancedFieldIds(fields: readonly Field[]): string[] {
  return fields
    .filter(({ id, required, default: initial }) => ADVANCED.includes(id) && (!required || initial !== null))
    .map(({ id }) => id);
}

/** Whether a folded field has a value that the user would not get without choosing it. */
export function hasAdvancedInput(fields: readonly Field[], values: FieldValues): boolean {
  const suggested = deviceTimeZone(fields);
  return fields
    .filter(({ id }) => ADVANCED.includes(id))
    .some(({ id, default: initial }) => {
      const value = values[id];
      return value !== undefined && value !== initial && value !== suggested[id];
    });
}

/** The time zone of the user's device as a default, if the integration has a time zone field with this option. */
export function deviceTimeZone(fields: readonly Field[]): FieldValues {
  const field = fields.find(({ id }) => id === 'time_zone');
  // Not before it is needed: the first one is slow (`date-format.ts`).
  const own = field && new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return field?.options?.some(({ value }) => value === own) ? { [field.id]: own } : {};
}
