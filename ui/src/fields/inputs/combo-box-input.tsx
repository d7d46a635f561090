import { Button, ComboBox, Group, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { ChevronDown } from '../../components/icons';
import { useMessages } from '../../messages/use-messages';
import type { InputProps } from '../field-input';
import { FieldHints, FieldLabel } from '../field-label';

/** Selects one of many options, filtered by typing. */
export function ComboBoxInput({ field, value, error, onChange, onBlur }: InputProps) {
  const { messages } = useMessages();
  return (
    <ComboBox
      className="field"
      defaultItems={field.options ?? []}
      selectedKey={typeof value === 'string' ? value : null}
      onSelectionChange={(key) => onChange(key === null ? undefined : String(key))}
      onBlur={onBlur}
      isRequired={field.required}
      isInvalid={error !== null}
      validationBehavior="aria"
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <FieldLabel field={field} />
      <Group className="box">
        <Input className="input" placeholder={field.placeholder ?? messages.fields.choose} autoComplete="off" />
        <Button className="box-button">
          <ChevronDown />
        </Button>
      </Group>
      <FieldHints field={field} error={error} />
      <Popover className="popover">
        <ListBox<{ value: string; label: string; selectable: boolean }>
          className="list-box"
          renderEmptyState={() => <p className="list-empty">{messages.fields.noMatch}</p>}
        >
          {(option) => (
            <ListBoxItem
              className="list-item"
              id={option.value}
              textValue={option.label}
              isDisabled={!option.selectable}
            >
              {option.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
