import { useEffect, useMemo, useRef } from 'react';
import type { Mutation } from '../../../ui/src/api/use-mutation';
import { Action } from '../../../ui/src/components/action';
import { ProblemNotice } from '../../../ui/src/components/notice';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { useConsoleMessages } from '../messages/use-console-messages';
import { belongsTo, FaultsContext, faultsOf } from './form-context';

/**
 * A form whose values the API checks: each fault appears at the field with its name, and the first of these fields gets the focus.
 * Faults that belong to no field are shown above the buttons.
 */
export function Form({
  fields,
  mutation,
  submit,
  onSubmit,
  onCancel,
  children,
  isUnchanged = false,
  closes = false,
}: {
  /** The names of the fields in the API. */
  readonly fields: readonly string[];
  readonly mutation: Mutation;
  readonly submit: string;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
  readonly children: React.ReactNode;
  readonly isUnchanged?: boolean;
  /** `onCancel` only closes the form, whose result stays valid. */
  readonly closes?: boolean;
}) {
  const { messages } = useMessages();
  const { close } = useConsoleMessages();
  const { problem, busy } = mutation;
  const form = useRef<HTMLFormElement>(null);
  const names = fields.join();
  const faults = useMemo(() => faultsOf(problem, names.split(',')), [problem, names]);
  const rest = (problem?.fieldErrors ?? []).filter(({ field }) => !fields.some((name) => belongsTo(field, name)));
  useEffect(() => {
    if (faults.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const isAtFields = faults.size > 0 && rest.length === 0;
  return (
    <form
      className="form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !isUnchanged) onSubmit();
      }}
    >
      <FaultsContext value={faults}>{children}</FaultsContext>
      {problem && !isAtFields ? <ProblemNotice problem={problem} more={rest.map(({ message }) => message)} /> : null}
      <p className={onCancel ? 'actions end' : 'actions'}>
        {onCancel ? (
          <Action variant="quiet" onPress={onCancel} disabled={busy}>
            {closes ? close : messages.cancel}
          </Action>
        ) : null}
        <Action type="submit" variant="primary" busy={busy} inactive={isUnchanged}>
          {submit}
        </Action>
      </p>
    </form>
  );
}
