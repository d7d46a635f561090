import type { Field } from '@docfetch/sdk';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useWords } from '../words/use-words';
import { sayFault } from './say-fault';
import { validate } from './validate';
import { type FieldValue, initialValues, type Values, visibleFields } from './values';

export interface FormState {
  readonly fields: readonly Field[];
  readonly values: Values;
  /** What to show at a field: the service's word on it, or what is wrong once the reader has left it. */
  readonly errorOf: (id: string) => string | null;
  readonly set: (id: string, value: FieldValue | undefined) => void;
  readonly leave: (id: string) => void;
  /** Shows every fault and goes to the first one; true when there is none. */
  readonly check: () => boolean;
  /** Puts the service's faults at their fields; answers those that belong to no field that is shown. */
  readonly refuse: (faults: readonly { field: string; message: string }[]) => string[];
  readonly faultCount: number;
  readonly formRef: React.RefObject<HTMLFormElement | null>;
}

/** The state of a form that is drawn from fields. Nothing that has been typed is lost by a refusal. */
export function useForm(all: readonly Field[], stored: Values = {}, kept: readonly string[] = []): FormState {
  const { words, lang } = useWords();
  const [values, setValues] = useState<Values>(() => initialValues(all, stored));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const formRef = useRef<HTMLFormElement | null>(null);
  const fields = useMemo(() => visibleFields(all, values), [all, values]);
  const faults = useMemo(() => validate(all, values, kept), [all, values, kept]);

  const set = useCallback((id: string, value: FieldValue | undefined) => {
    setValues((before) => ({ ...before, [id]: value }));
    setRefused(({ [id]: _, ...others }) => others);
  }, []);
  const leave = useCallback(
    (id: string) => setLeft((before) => (before.has(id) ? before : new Set([...before, id]))),
    [],
  );

  const errorOf = (id: string) => {
    const fault = faults[id];
    return refused[id] ?? (fault && left.has(id) ? sayFault(fault, words.fields.fault, lang) : null);
  };
  /** After the faults have been drawn. */
  const focusFirst = () =>
    requestAnimationFrame(() =>
      formRef.current
        ?.querySelector<HTMLElement>('[data-field][data-invalid] :is(input,select,button,[tabindex="0"])')
        ?.focus(),
    );

  return {
    fields,
    values,
    errorOf,
    set,
    leave,
    formRef,
    faultCount: fields.filter(({ id }) => errorOf(id)).length,
    check: () => {
      setLeft(new Set(all.map(({ id }) => id)));
      const good = Object.keys(faults).length === 0;
      if (!good) focusFirst();
      return good;
    },
    refuse: (said) => {
      const at = said.map((fault) => ({ ...fault, id: fault.field.replace(/^fields\./, '').replace(/[[.].*$/, '') }));
      const known = at.filter(({ id }) => fields.some((field) => field.id === id));
      setRefused(Object.fromEntries(known.map(({ id, message }) => [id, message])));
      if (known.length > 0) focusFirst();
      return at.filter((fault) => !known.includes(fault)).map(({ message }) => message);
    },
  };
}
