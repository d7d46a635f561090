import type { Field } from '@docfetch/sdk';
import { FieldError, Label, Text } from 'react-aria-components';
import { useMessages } from '../messages/use-messages';

/** The name of an input. Most are required, so the others are marked. */
export function FieldLabel({
  field,
  isStoredSecret = false,
  htmlFor,
}: {
  field: Field;
  isStoredSecret?: boolean;
  htmlFor?: string;
}) {
  const { messages } = useMessages();
  const optional = !field.required || (isStoredSecret && field.secret);
  return (
    <Label className="label" htmlFor={htmlFor}>
      {field.label}
      {optional ? <span className="optional"> ({messages.optional})</span> : null}
    </Label>
  );
}

/** What helps, and what is wrong; both belong to the input for a screen reader. */
export function FieldHints({ field, error, hint }: { field: Field; error: string | null; hint?: string | null }) {
  const help = [hint, field.help].filter(Boolean).join(' ');
  return (
    <>
      {help ? (
        <Text slot="description" className="help">
          {help}
        </Text>
      ) : null}
      <FieldError className="field-error">{error}</FieldError>
    </>
  );
}
