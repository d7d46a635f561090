import type { Options } from '../form/select';
import { hrefOf, navigate, parseAddress, useAddress } from '../route';

/** A filter of a list. Its value is in the address, by its `name`, which is that of the parameter of the API. */
export type Filter = { readonly name: string; readonly label: string } & (
  | { readonly kind: 'search' }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'date' }
  | {
      readonly kind: 'choice';
      readonly options: Options;
      /** The label for no choice; default: all. */
      readonly all?: string;
    }
);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FIRST_DAY = '1970-01-01';

export const isUuid = (text: string): boolean => UUID.test(text);

/** Whether it is a day of the calendar, and not the beginning of a year that is still being typed. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text && text >= FIRST_DAY;
}

/** Values of a mistyped address are ignored, as if the filter was not set. */
export function isUsable(filter: Filter, value: string): boolean {
  if (filter.kind === 'uuid') return isUuid(value);
  if (filter.kind === 'date') return isDay(value);
  if (filter.kind === 'search') return true;
  // Some options are loaded later than the list.
  return filter.options.length === 0 || filter.options.some(([option]) => option === value);
}

/** Changes filters in the address, without a step of the back button for each. */
export function useFilters(filters: readonly Filter[]): {
  readonly values: Readonly<Record<string, string>>;
  readonly set: (name: string, value: string) => void;
  readonly clear: () => void;
} {
  const { query } = useAddress();
  const values = Object.fromEntries(
    filters
      .map((filter) => [filter, query.get(filter.name) ?? ''] as const)
      .filter(([filter, value]) => value !== '' && isUsable(filter, value))
      .map(([{ name }, value]) => [name, value]),
  );
  return {
    values,
    set: (name, value) => change({ [name]: value }),
    clear: () => change(Object.fromEntries(filters.map(({ name }) => [name, '']))),
  };
}

/** Reads the address at once: text is applied some time after it was typed, when another filter may have changed. */
function change(values: Readonly<Record<string, string>>): void {
  const { path, query } = parseAddress(location.hash);
  navigate(hrefOf(path.join('/'), { ...Object.fromEntries(query), ...values }), 'replace');
}
