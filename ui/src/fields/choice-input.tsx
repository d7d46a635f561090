import { useId } from 'react';
import { Checkbox, CheckboxGroup, Text } from 'react-aria-components';
import { Check, ChevronDown } from '../parts/icons';
import { useWords } from '../words/use-words';
import type { InputProps } from './field-input';
import { FieldHints, FieldLabel } from './label';

/** What is sent for "nothing chosen". */
const NONE = '';

/** One of a few choices: the browser's own list, which a phone shows as large as a thumb needs it, and which costs nothing. */
export function OneChoice({ field, value, error, onChange, onLeave }: InputProps) {
  const { words } = useWords();
  const [id, helpId, errorId] = [useId(), useId(), useId()];
  const chosen = typeof value === 'string' ? value : NONE;
  const mayBeNone = !field.required && field.default === null;
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <FieldLabel field={field} htmlFor={id} />
      <div className="box select-box">
        <select
          className="input"
          id={id}
          value={chosen}
          onChange={({ target }) => onChange(target.value === NONE ? undefined : target.value)}
          onBlur={onLeave}
          required={field.required}
          aria-invalid={error ? true : undefined}
          aria-describedby={[field.help ? helpId : null, error ? errorId : null].filter(Boolean).join(' ') || undefined}
          data-placeholder={chosen === NONE ? '' : undefined}
        >
          {mayBeNone ? <option value={NONE}>{words.fields.none}</option> : null}
          {!mayBeNone && chosen === NONE ? (
            <option value={NONE} disabled hidden>
              {field.placeholder ?? words.fields.choose}
            </option>
          ) : null}
          {(field.options ?? []).map(({ value: id, label, selectable }) => (
            <option key={id} value={id} disabled={!selectable}>
              {label}
            </option>
          ))}
        </select>
        <ChevronDown />
      </div>
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

/** The box of a checkbox; the words stand beside it. */
export function Tick() {
  return (
    <span className="tick" aria-hidden="true">
      <Check />
    </span>
  );
}

export function ManyChoices({ field, value, error, onChange, onLeave }: InputProps) {
  return (
    <CheckboxGroup
      className="field"
      value={Array.isArray(value) ? value : []}
      onChange={(chosen) => {
        onChange(chosen);
        onLeave();
      }}
      isRequired={field.required}
      isInvalid={error !== null}
      validationBehavior="aria"
    >
      <FieldLabel field={field} />
      <div className="checks">
        {(field.options ?? []).map((option) => (
          <Checkbox className="check" key={option.value} value={option.value} isDisabled={!option.selectable}>
            <Tick />
            {option.label}
          </Checkbox>
        ))}
      </div>
      <FieldHints field={field} error={error} />
    </CheckboxGroup>
  );
}

export function BooleanInput({ field, value, error, onChange, onLeave }: InputProps) {
  return (
    <div className="field">
      <Checkbox
        className="check"
        isSelected={value === true}
        onChange={(chosen) => {
          onChange(chosen);
          onLeave();
        }}
        isInvalid={error !== null}
        validationBehavior="aria"
        aria-describedby={field.help ? `help-${field.id}` : undefined}
      >
        <Tick />
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
