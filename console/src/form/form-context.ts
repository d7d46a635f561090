import { createContext, use, useId } from 'react';
import type { Problem } from '../../../ui/src/api/problem';

/** The message of the first fault of each field, by its name in the API. */
export const FaultsContext = createContext<ReadonlyMap<string, string>>(new Map());

/** A fault of one item of a list is shown at the list: `origins.0`. */
export const belongsTo = (field: string, name: string): boolean =>
  field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`);

export function faultsOf(problem: Problem | null, names: readonly string[]): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const { field, message } of problem?.fieldErrors ?? []) {
    const name = names.find((each) => belongsTo(field, each));
    if (name && !faults.has(name)) faults.set(name, message);
  }
  return faults;
}

/** The ids and the fault of a field, and how its input refers to them. */
export function useFieldIds(name: string, hasHelp: boolean) {
  const [id, helpId, faultId] = [useId(), useId(), useId()];
  const fault = use(FaultsContext).get(name);
  return {
    ...{ id, helpId, faultId, fault },
    input: {
      id,
      name,
      'aria-invalid': fault ? (true as const) : undefined,
      'aria-describedby': [hasHelp ? helpId : null, fault ? faultId : null].filter(Boolean).join(' ') || undefined,
    },
  };
}

/** The value of a field that may be empty. */
export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** One value in each line. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
