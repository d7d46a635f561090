import type { Field } from '@docfetch/sdk';
import { FieldError, Label, Text } from 'react-aria-components';
import { Breakable } from '../components/breakable';
import { LabelText } from './native-field';

/** The label of an input of React Aria. */
export function FieldLabel({ field }: { field: Field }) {
  return (
    <Label className="label">
      <LabelText field={field} />
    </Label>
  );
}

/** Help and error of an input of React Aria; both are linked to it for screen readers. */
export function FieldHints({ field, error }: { field: Field; error: string | null }) {
  return (
    <>
      {field.help ? (
        <Text slot="description" className="help">
          <Breakable>{field.help}</Breakable>
        </Text>
      ) : null}
      <FieldError className="field-error">{error ? <Breakable>{error}</Breakable> : null}</FieldError>
    </>
  );
}
