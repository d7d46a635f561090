import type { Field } from '@docfetch/sdk';
import { useId } from 'react';
import { Breakable } from '../components/breakable';
import { useMessages } from '../messages/use-messages';

/** Links an element to its label, its help and its error. */
export interface ElementProps {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface FieldProps {
  readonly field: Field;
  readonly error: string | null;
  readonly isStoredSecret?: boolean;
}

/** The label, help and error of an element of the browser: most inputs are such elements (ADR 21). */
export function NativeField({
  children,
  ...props
}: FieldProps & { readonly children: (element: ElementProps) => React.ReactNode }) {
  const { field, error, isStoredSecret } = props;
  const { element, hints } = useHints(props);
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label className="label" htmlFor={element.id}>
        <LabelText field={field} isStoredSecret={isStoredSecret} />
      </label>
      {children(element)}
      {hints}
    </div>
  );
}

/** The help and the error of a field, and what links an element to them. */
export function useHints({ field, error, isStoredSecret = false }: FieldProps) {
  const { messages } = useMessages();
  const id = useId();
  const [helpId, errorId] = [`${id}-help`, `${id}-error`];
  const help = [isStoredSecret ? messages.fields.keep : null, field.help].filter(Boolean).join(' ');
  const element: ElementProps = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': [help ? helpId : null, error ? errorId : null].filter(Boolean).join(' ') || undefined,
  };
  const hints = (
    <>
      {help ? (
        <p className="help" id={helpId}>
          <Breakable>{help}</Breakable>
        </p>
      ) : null}
      <NativeError id={errorId} error={error} />
    </>
  );
  return { element, hints };
}

/** The error of an input, which names it by its id (`aria-describedby`). */
export const NativeError = ({ id, error }: { id: string; error: string | null }) =>
  error ? (
    <p className="field-error" id={id}>
      <Breakable>{error}</Breakable>
    </p>
  ) : null;

/** The text of a label. Most fields are required, so optional fields are marked, unless a default fills them in. */
export function LabelText({ field, isStoredSecret = false }: Omit<FieldProps, 'error'>) {
  const { messages } = useMessages();
  const mayBeEmpty = !field.required && field.default === null;
  const optional = mayBeEmpty || (isStoredSecret && field.secret);
  return (
    <>
      <Breakable>{field.label}</Breakable>
      {optional ? <span className="optional"> ({messages.optional})</span> : null}
    </>
  );
}
