import type { Field } from '@docfetch/sdk';
import { FieldError, Label, Text } from 'react-aria-components';
import { useMessages } from '../messages/use-messages';

/** The label of an input. Most fields are required, so optional fields are marked. */
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

/** Help and error of an input; both are linked to it for screen readers. */
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
