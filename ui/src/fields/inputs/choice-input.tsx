import { useId } from 'react';
import { Breakable } from '../../components/breakable';
import { useMessages } from '../../messages/use-messages';
import type { InputProps } from '../field-input';
import { LabelText, NativeField, useHints } from '../native-field';
import { NativeCheckbox } from './native-checkbox';
import { NativeSelect } from './native-select';

/** The value of the option "nothing selected". */
const NO_VALUE = '';

/** Selects one of a few options. */
export function SelectInput({ field, value, error, onChange, onBlur }: InputProps) {
  const { messages } = useMessages();
  const selected = typeof value === 'string' ? value : NO_VALUE;
  const mayBeNone = !field.required && field.default === null;
  return (
    <NativeField field={field} error={error}>
      {(element) => (
        <NativeSelect
          {...element}
          value={selected}
          onChange={({ target }) => onChange(target.value === NO_VALUE ? undefined : target.value)}
          onBlur={onBlur}
          required={field.required}
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
      )}
    </NativeField>
  );
}

/** Selects any number of a few options. */
export function CheckboxGroupInput({ field, value, error, onChange, onBlur }: InputProps) {
  const { element, hints } = useHints({ field, error });
  const labelId = useId();
  const selected = Array.isArray(value) ? value : [];
  const toggle = (id: string) => {
    onChange(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]);
    onBlur();
  };
  return (
    <div
      className="field"
      role="group"
      aria-labelledby={labelId}
      aria-describedby={element['aria-describedby']}
      data-invalid={error ? '' : undefined}
    >
      <span className="label" id={labelId}>
        <LabelText field={field} />
      </span>
      <div className="checks">
        {(field.options ?? []).map(({ value: id, label, selectable }) => (
          <NativeCheckbox
            key={id}
            checked={selected.includes(id)}
            onChange={() => toggle(id)}
            disabled={!selectable}
            aria-invalid={element['aria-invalid']}
          >
            <span>
              <Breakable>{label}</Breakable>
            </span>
          </NativeCheckbox>
        ))}
      </div>
      {hints}
    </div>
  );
}

export function BooleanInput({ field, value, error, onChange, onBlur }: InputProps) {
  const { element, hints } = useHints({ field, error });
  return (
    <div className="field">
      <NativeCheckbox
        {...element}
        checked={value === true}
        onChange={({ target }) => {
          onChange(target.checked);
          onBlur();
        }}
      >
        <span>
          <Breakable>{field.label}</Breakable>
        </span>
      </NativeCheckbox>
      {hints}
    </div>
  );
}
