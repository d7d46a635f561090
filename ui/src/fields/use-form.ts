import type { Field } from '@docfetch/sdk';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useMessages } from '../messages/use-messages';
import { keepInTab, readTab } from '../session/tab-state';
import { fieldErrorMessage } from './field-error-message';
import { validate } from './validate';
import { type FieldValue, initialValues, type FieldValues, visibleFields } from './field-values';

export interface FormState {
  readonly fields: readonly Field[];
  readonly values: FieldValues;
  /** The error to show at a field: the error of the service, or a validation error after the field was touched. */
  readonly errorOf: (id: string) => string | null;
  readonly set: (id: string, value: FieldValue | undefined) => void;
  /** Sets several values and returns them, to be sent before the next render. */
  readonly apply: <T extends FieldValues>(changed: T) => T;
  readonly touch: (id: string) => void;
  /** Shows all validation errors and focuses the first one; returns whether the form is valid. */
  readonly validate: () => boolean;
  /** Shows the errors of the service at their fields; returns the messages that belong to no visible field. */
  readonly setServerErrors: (errors: readonly { field: string; message: string }[]) => string[];
  readonly errorCount: number;
  readonly formRef: React.RefObject<HTMLFormElement | null>;
}

/** Frames in which an input with an error is waited for, about a second. */
const MAX_FRAMES = 60;

/** The state of a form that is generated from fields. A rejected request and a reload keep all input, a reload without secrets. */
export function useForm(
  all: readonly Field[],
  stored: FieldValues = {},
  storedSecrets: readonly string[] = [],
): FormState {
  const { messages, lang } = useMessages();
  const [initial] = useState<FieldValues>(() => ({ ...initialValues(all, stored), ...inputBeforeReload() }));
  const [values, setValues] = useState(initial);
  useEffect(() => {
    if (values !== initial) keepInTab({ input: { view: location.hash, values: withoutSecrets(all, values) } });
  }, [values]);
  // A reload unmounts nothing.
  useEffect(() => () => keepInTab({ input: null, labels: null }), []);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [serverErrors, setServerErrorsById] = useState<Readonly<Record<string, string>>>({});
  const formRef = useRef<HTMLFormElement | null>(null);
  const fields = useMemo(() => visibleFields(all, values), [all, values]);
  const errors = useMemo(() => validate(all, values, storedSecrets), [all, values, storedSecrets]);

  const set = useCallback((id: string, value: FieldValue | undefined) => {
    setValues((before) => ({ ...before, [id]: value }));
    setServerErrorsById(({ [id]: _, ...others }) => others);
  }, []);
  const touch = useCallback(
    (id: string) => setTouched((before) => (before.has(id) ? before : new Set([...before, id]))),
    [],
  );

  const errorOf = (id: string) => {
    const error = errors[id];
    return (
      serverErrors[id] ?? (error && touched.has(id) ? fieldErrorMessage(error, messages.fields.errors, lang) : null)
    );
  };
  /** Runs after the errors have been rendered; the input of a folded field may still be loading then. */
  const focusFirstError = (frames = MAX_FRAMES) =>
    requestAnimationFrame(() => {
      const input = formRef.current?.querySelector<HTMLElement>(
        '[data-field][data-invalid] :is(input,select,button,[tabindex="0"])',
      );
      if (input) input.focus();
      else if (frames > 0) focusFirstError(frames - 1);
    });

  return {
    fields,
    values,
    errorOf,
    set,
    apply: (changed) => {
      for (const [id, value] of Object.entries(changed)) set(id, value);
      return changed;
    },
    touch,
    formRef,
    errorCount: fields.filter(({ id }) => errorOf(id)).length,
    validate: () => {
      setTouched(new Set(all.map(({ id }) => id)));
      const valid = Object.keys(errors).length === 0;
      if (!valid) focusFirstError();
      return valid;
    },
    setServerErrors: (received) => {
      const addressed = received.map((error) => ({
        ...error,
        id: error.field.replace(/^fields\./, '').replace(/[[.].*$/, ''),
      }));
      const shown = addressed.filter(({ id }) => fields.some((field) => field.id === id));
      setServerErrorsById(Object.fromEntries(shown.map(({ id, message }) => [id, message])));
      if (shown.length > 0) focusFirstError();
      return addressed.filter((error) => !shown.includes(error)).map(({ message }) => message);
    },
  };
}

/** The input that the form of this view had before a reload. */
function inputBeforeReload(): FieldValues {
  const { input } = readTab();
  if (input?.view !== location.hash) return {};
  return Object.fromEntries(Object.entries(input.values).map(([id, value]) => [id, value ?? undefined]));
}

/** What may be stored. Null: an input that was emptied. */
const withoutSecrets = (fields: readonly Field[], values: FieldValues) =>
  Object.fromEntries(fields.filter(({ secret }) => !secret).map(({ id }) => [id, values[id] ?? null]));
