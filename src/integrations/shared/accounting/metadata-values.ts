/** A sum as metadata has it (decisions 4): a decimal string with two digits at least; undefined for what is no number. */
export function decimal(value: string | number | null | undefined): string | undefined {
  const [, sign, whole, digits = ''] = /^(-?)0*(\d+)(?:\.(\d+))?$/.exec(String(value ?? '').trim()) ?? [];
  if (whole === undefined) return undefined;
  // More digits than a currency has are noise of somebody's arithmetic.
  if (digits.length > 3) return Number(`${sign}${whole}.${digits}`).toFixed(2);
  const significant = digits.replace(/0+$/, '').padEnd(2, '0');
  return `${sign}${whole}.${significant}`;
}

/** The day that the source itself shows: of a date with time and offset, the day at that offset. */
export function dayOf(value: string | null | undefined): string | undefined {
  return /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|T)/.exec(value ?? '')?.[0];
}

/** A text that says something; undefined otherwise. */
export function text(value: string | null | undefined): string | undefined {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
}

/** Leaves out what is not known, so that metadata has no empty members; undefined when nothing is known. */
export function definedMembers<T extends object>(members: T): T | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
}
