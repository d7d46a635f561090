import { useId } from 'react';
import { Checkbox, CheckboxGroup, Text } from 'react-aria-components';
import { Check } from '../../components/icons';
import { useMessages } from '../../messages/use-messages';
import type { InputProps } from '../field-input';
import { FieldHints, FieldLabel } from '../field-label';
import { NativeSelect } from './native-select';

/** The value of the option "nothing selected". */
const NO_VALUE = '';

/** Selects one of a few options. */
export function SelectInput({ field, value, error, onChange, onBlur }: InputProps) {
  const { messages } = useMessages();
  const [id, helpId, errorId] = [useId(), useId(), useId()];
  const selected = typeof value === 'string' ? value : NO_VALUE;
  const mayBeNone = !field.required && field.default === null;
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <FieldLabel field={field} htmlFor={id} />
      <NativeSelect
        id={id}
        value={selected}
        onChange={({ target }) => onChange(target.value === NO_VALUE ? undefined : target.value)}
        onBlur={onBlur}
        required={field.required}
        aria-invalid={error ? true : undefined}
        aria-describedby={[field.help ? helpId : null, error ? errorId : null].filter(Boolean).join(' ') || undefined}
        data-placeholder={selected === NO_VALUE ? '' : undefined}
      >
        {mayBeNone ? <option value={NO_VALUE}>{messages.fields.none}</option> : null}
        {!mayBeNone && selected === NO_VALUE ? (
          <option value={NO_VALUE} disabled hidden>
            {field.placeholder ?? messages.fields.choose}
          </option>
        ) : null}
        {(field.options ?? []).map(({ value: id, label, selectable }) => (
          <option key={id} value={id} disabled={!selectable}>
            {label}
          </option>
        ))}
      </NativeSelect>
      {field.help ? (
        <p className="help" id={helpId}>
          {field.help}
        </p>
      ) : null}
      {error ? (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** The visible box of a checkbox; the label is next to it. */
export function CheckboxIndicator() {
  return (
    <span className="tick" aria-hidden="true">
      <Check />
    </span>
  );
}

export function CheckboxGroupInput({ field, value, error, onChange, onBlur }: InputProps) {
  return (
    <CheckboxGroup
      className="field"
      value={Array.isArray(value) ? value : []}
      onChange={(selected) => {
        onChange(selected);
        onBlur();
      }}
      isRequired={field.required}
      isInvalid={error !== null}
      validationBehavior="aria"
    >
      <FieldLabel field={field} />
      <div className="checks">
        {(field.options ?? []).map((option) => (
          <Checkbox className="check" key={option.value} value={option.value} isDisabled={!option.selectable}>
            <CheckboxIndicator />
            {option.label}
          </Checkbox>
        ))}
      </div>
      <FieldHints field={field} error={error} />
    </CheckboxGroup>
  );
}

export function BooleanInput({ field, value, error, onChange, onBlur }: InputProps) {
  return (
    <div className="field">
      <Checkbox
        className="check"
        isSelected={value === true}
        onChange={(selected) => {
          onChange(selected);
          onBlur();
        }}
        isInvalid={error !== null}
        validationBehavior="aria"
        aria-describedby={field.help ? `help-${field.id}` : undefined}
      >
        <CheckboxIndicator />
        {field.label}
      </Checkbox>
      {field.help ? (
        <Text id={`help-${field.id}`} className="help">
          {field.help}
        </Text>
      ) : null}
      {error ? <p className="field-error">{error}</p> : null}
    </div>
  );
}
