import type { DocumentType, Metadata, Party } from '../../../documents/metadata';
import { PAYMENT_STATUSES } from '../../../documents/metadata';
import type { Category } from '../../core/integration';
import { decimal, definedMembers, text } from '../../shared/accounting/metadata-values';
import { type Evaluate, type Scope, textOf } from '../language/expressions/evaluate';
import { dayOf, instantOf } from '../language/expressions/instants';
import { hasNoDigits } from '../language/expressions/major-units';
import type { Names } from '../language/expressions/names';
import type { Place } from '../language/manifest-errors';
import type { Compiler } from './compiler';

/** The metadata of a record. */
export type ReadMetadata = (scope: Scope, type: DocumentType | undefined) => Metadata;

const DAYS = ['date', 'due_date', 'service_start', 'service_end', 'payment.date'];
const AMOUNTS = ['amount', 'amount_net', 'amount_tax', 'amount_due'];
const SOURCE_KINDS: Readonly<Record<Category, string>> = {
  ACCOUNTING: 'accounting',
  PORTAL: 'portal',
  CLOUD_STORAGE: 'storage',
  MAILBOX: 'mailbox',
};

type Read = (value: unknown, zone: string) => string | undefined;

/** The form of a value of metadata (decisions 4 "Metadata"); what does not have it is left out. */
function formOf(key: string): Read {
  if (DAYS.includes(key)) return dayOf;
  if (AMOUNTS.includes(key)) return (value) => decimal(value as string);
  if (key === 'currency') return matching(/^[A-Z]{3}$/);
  if (key.endsWith('.country')) return matching(/^[A-Z]{2}$/);
  if (key === 'payment.status') return matching(new RegExp(`^(?:${PAYMENT_STATUSES.join('|')})$`));
  if (key === 'source.modified_at') {
    return (value, zone) => {
      const moment = instantOf(value, zone);
      return moment === undefined ? undefined : new Date(moment * 1000).toISOString();
    };
  }
  return (value) => (typeof value === 'object' ? undefined : text(textOf(value)));
}

const matching =
  (form: RegExp): Read =>
  (value) => {
    const upper = textOf(value).trim().toUpperCase();
    return form.test(upper) ? upper : undefined;
  };

/** Compiles the expressions of metadata. Amounts are positive: a credit note's lose their sign, others that are negative are left out. */
export function compileMetadata(
  compiler: Compiler,
  place: Place,
  given: Readonly<Record<string, string>>,
  names: Names,
  category: Category,
): ReadMetadata {
  const members = Object.entries(given).map(([key, expression]) => ({
    path: key.split('.'),
    key,
    evaluate: compiler.expression([...place, key], expression, names),
    form: formOf(key),
  }));
  const kind = SOURCE_KINDS[category];
  return (scope, type) => {
    const flat: Record<string, string | undefined> = {};
    const groups: Record<string, Record<string, string | undefined>> = {};
    for (const { path, key, evaluate, form } of members) {
      const value = valueOf(evaluate, form, scope);
      const [group, member] = path as [string, string?];
      if (member !== undefined) (groups[group] ??= {})[member] = value;
      else flat[key] = AMOUNTS.includes(key) ? positive(value, type) : value;
    }
    // Of a negative invoice every amount would be misinterpreted.
    if (flat['amount'] === undefined && 'amount' in flat) for (const key of AMOUNTS) delete flat[key];
    if (hasNoDigits(flat['currency'])) for (const key of AMOUNTS) flat[key] = flat[key]?.replace(/\.0+$/, '');
    const { source, ...others } = groups;
    const parties = Object.entries(others).map(([group, values]) => [group, definedMembers<Party>(values as Party)]);
    return {
      ...definedMembers<Metadata>({ ...flat, ...(Object.fromEntries(parties) as Metadata) }),
      source: { kind, ...definedMembers(source ?? {}) },
    };
  };
}

function valueOf(evaluate: Evaluate, form: Read, scope: Scope): string | undefined {
  const value = evaluate(scope);
  return value === undefined ? undefined : form(value, scope.zone);
}

function positive(amount: string | undefined, type: DocumentType | undefined): string | undefined {
  if (!amount?.startsWith('-')) return amount;
  return type === 'credit_note' ? amount.slice(1) : undefined;
}
