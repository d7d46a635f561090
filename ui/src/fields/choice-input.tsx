import {
  Button,
  Checkbox,
  CheckboxGroup,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
} from 'react-aria-components';
import { Check, ChevronDown } from '../parts/icons';
import { useWords } from '../words/use-words';
import type { InputProps } from './field-input';
import { FieldHints, FieldLabel } from './label';

/** What is sent for "nothing chosen". */
const NONE = '';

export function OneChoice({ field, value, error, onChange, onLeave }: InputProps) {
  const { words } = useWords();
  const options = field.options ?? [];
  const mayBeNone = !field.required && field.default === null;
  return (
    <Select
      className="field"
      value={typeof value === 'string' ? value : null}
      onChange={(key) => onChange(key === null || key === NONE ? undefined : String(key))}
      onBlur={onLeave}
      isRequired={field.required}
      isInvalid={error !== null}
      validationBehavior="aria"
      placeholder={field.placeholder ?? words.fields.choose}
    >
      <FieldLabel field={field} />
      <Button className="box select-box">
        <SelectValue className="select-value" />
        <ChevronDown />
      </Button>
      <FieldHints field={field} error={error} />
      <Popover className="popover">
        <ListBox className="list-box">
          {mayBeNone ? (
            <ListBoxItem className="list-item" id={NONE}>
              {words.fields.none}
            </ListBoxItem>
          ) : null}
          {options.map((option) => (
            <ListBoxItem
              className="list-item"
              key={option.value}
              id={option.value}
              isDisabled={!option.selectable}
              textValue={option.label}
            >
              {option.label}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
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
