import { Group, Input, NumberField } from 'react-aria-components';
import type { InputProps } from '../field-input';
import { FieldHints, FieldLabel } from '../field-label';

/** A number in the user's locale format. */
export function NumberInput({ field, value, error, onChange, onBlur }: InputProps) {
  return (
    <NumberField
      className="field"
      value={typeof value === 'number' ? value : NaN}
      onChange={(number) => onChange(Number.isNaN(number) ? undefined : number)}
      onBlur={onBlur}
      isRequired={field.required}
      isInvalid={error !== null}
      validationBehavior="aria"
      formatOptions={{ useGrouping: false, maximumFractionDigits: 6 }}
    >
      <FieldLabel field={field} />
      <Group className="box narrow">
        <Input className="input" placeholder={field.placeholder ?? undefined} autoComplete="off" />
      </Group>
      <FieldHints field={field} error={error} />
    </NumberField>
  );
}
