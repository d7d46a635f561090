/** An amount in the format of metadata (decisions 4): a decimal string with at least two decimal places; undefined when it is not a number. */
export function decimal(value: string | number | null | undefined): string | undefined {
  const [, sign, whole, digits = ''] = /^(-?)0*(\d+)(?:\.(\d+))?$/.exec(String(value ?? '').trim()) ?? [];
  if (whole === undefined) return undefined;
  // More decimal places than a currency has are rounding noise.
  if (digits.length > 3) return Number(`${sign}${whole}.${digits}`).toFixed(2);
  const significant = digits.replace(/0+$/, '').padEnd(2, '0');
  return `${sign}${whole}.${significant}`;
}

/** The day as the source shows it: of a date with time and offset, the day at that offset. */
export function dayOf(value: string | null | undefined): string | undefined {
  return /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|T)/.exec(value ?? '')?.[0];
}

/** The trimmed text; undefined when it is empty. */
export function text(value: string | null | undefined): string | undefined {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
}

/** Removes undefined members, so that metadata has no empty ones; undefined when none remains. */
export function definedMembers<T extends object>(members: T): T | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
}
