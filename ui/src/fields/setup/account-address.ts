import type { Field } from '@docfetch/sdk';
import type { FieldValues } from '../field-values';

/** The ids that integrations use for the account. */
const ACCOUNT = ['user', 'email', 'username'];

/** The address of the account that the user has entered, such as that of a mailbox; null without one. */
export function accountAddress(fields: readonly Field[], values: FieldValues): string | null {
  for (const { id, type, secret } of fields) {
    if (secret || (type !== 'email' && !ACCOUNT.includes(id))) continue;
    const value = values[id];
    if (typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value.trim())) return value.trim();
  }
  return null;
}
