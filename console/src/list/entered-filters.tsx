import { useEffect, useId, useState } from 'react';
import { Button, Input, SearchField } from 'react-aria-components';
import { Cross, Search } from '../../../ui/src/components/icons';
import { useDebounced } from '../components/use-debounced';
import { SmallField } from '../form/small-fields';
import { useConsoleMessages } from '../messages/use-console-messages';
import { isDay } from './use-filters';

interface EnteredFilterProps {
  readonly label: string;
  /** The applied value. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The entered text. It is replaced when the applied value is changed from outside, for example by the back button. */
function useEntered(value: string) {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  if (value !== applied) {
    setApplied(value);
    if (value !== text.trim()) setText(value);
  }
  return { text, setText, setApplied };
}

/** Applied after a pause in typing, and only when it is valid. */
export function TypedFilter({
  kind,
  label,
  value,
  onChange,
  isValid,
}: EnteredFilterProps & { readonly kind: string; readonly isValid: (text: string) => boolean }) {
  const { list } = useConsoleMessages();
  const { text, setText, setApplied } = useEntered(value);
  const errorId = useId();
  const typed = text.trim();
  const isWrong = typed !== '' && !isValid(typed);
  const settled = useDebounced(typed);
  useEffect(() => {
    if (settled !== typed || typed === value || isWrong) return;
    setApplied(typed);
    onChange(typed);
  }, [settled, typed, value, isWrong]);
  return (
    <SearchField
      className={`filter search ${kind}`}
      value={text}
      onChange={setText}
      isInvalid={isWrong}
      aria-label={label}
      aria-describedby={isWrong ? errorId : undefined}
    >
      <span className="filter-label" aria-hidden="true">
        {label}
      </span>
      <div className="box">
        <Search />
        <Input className="input" spellCheck="false" autoCapitalize="none" />
        <Button className="box-button clear" aria-label={list.clearField(label)}>
          <Cross />
        </Button>
      </div>
      {isWrong ? (
        <span className="field-error" id={errorId}>
          {list.invalidUuid}
        </span>
      ) : null}
    </SearchField>
  );
}

/** Applied when it is a valid day; an error is shown when the field loses the focus. */
export function DateFilter({ label, value, onChange }: EnteredFilterProps) {
  const { list } = useConsoleMessages();
  const { text, setText, setApplied } = useEntered(value);
  const [isWrong, setWrong] = useState(false);
  return (
    <SmallField label={label} error={isWrong ? list.invalidDate : undefined}>
      {(attributes) => (
        <div className="box">
          <input
            className="input"
            type="date"
            {...attributes}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setWrong(false);
              if (!isDay(target.value) && target.value !== '') return;
              setApplied(target.value);
              onChange(target.value);
            }}
            onBlur={({ target }) => setWrong(target.validity.badInput || (target.value !== '' && !isDay(target.value)))}
          />
        </div>
      )}
    </SmallField>
  );
}
