import { useEffect, useId, useState } from 'react';
import { Button, Input, SearchField } from 'react-aria-components';
import { Cross, Search } from '../../../ui/src/components/icons';
import { Action } from '../../../ui/src/components/action';
import { type Options, Select } from '../components/select';
import { useDebounced } from '../components/use-debounced';
import { useConsoleMessages } from '../messages/use-console-messages';
import { hrefOf, navigate, useAddress } from '../route';

/** A filter of a list. Its value is in the address, by its `name`, which is that of the parameter of the API. */
export type Filter = { readonly name: string; readonly label: string } & (
  | { readonly kind: 'search' }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'date' }
  | {
      readonly kind: 'choice';
      readonly options: Options;
      /** What no choice means; default: all. */
      readonly all?: string;
    }
);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Changes filters in the address, without a step of the back button for each. */
export function useFilters(filters: readonly Filter[]): {
  readonly values: Readonly<Record<string, string>>;
  readonly set: (name: string, value: string) => void;
  readonly clear: () => void;
} {
  const { path, query } = useAddress();
  const values = Object.fromEntries(
    filters.map(({ name }) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== ''),
  );
  const replace = (next: Readonly<Record<string, string>>) => navigate(hrefOf(path.join('/'), next), 'replace');
  const others = Object.fromEntries([...query].filter(([name]) => !filters.some((filter) => filter.name === name)));
  return {
    values,
    set: (name, value) => replace({ ...others, ...values, [name]: value }),
    clear: () => replace(others),
  };
}

export function FilterBar({ filters }: { readonly filters: readonly Filter[] }) {
  const { list } = useConsoleMessages();
  const { values, set, clear } = useFilters(filters);
  if (filters.length === 0) return null;
  return (
    <form className="filters" role="search" aria-label={list.filters} onSubmit={(event) => event.preventDefault()}>
      {filters.map((filter) => (
        <FilterInput
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          onChange={(value) => set(filter.name, value)}
        />
      ))}
      {Object.keys(values).length > 0 ? (
        <Action variant="quiet" onPress={clear}>
          {list.clear}
        </Action>
      ) : null}
    </form>
  );
}

interface FilterInputProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterInput(props: FilterInputProps) {
  const { list } = useConsoleMessages();
  const id = useId();
  const { filter, value, onChange } = props;
  if (filter.kind === 'search') return <TypedFilter {...props} isValid={() => true} />;
  if (filter.kind === 'uuid') return <TypedFilter {...props} isValid={(text) => UUID.test(text)} />;
  return (
    <div className="filter">
      <label htmlFor={id}>{filter.label}</label>
      {filter.kind === 'date' ? (
        <div className="box">
          <input
            className="input"
            id={id}
            type="date"
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        </div>
      ) : (
        <Select id={id} value={value} options={[['', filter.all ?? list.all], ...filter.options]} onChange={onChange} />
      )}
    </div>
  );
}

/** Applied after a pause in typing, and only when it is valid. */
function TypedFilter({
  filter,
  value,
  onChange,
  isValid,
}: FilterInputProps & { readonly isValid: (text: string) => boolean }) {
  const { list } = useConsoleMessages();
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  const errorId = useId();
  const typed = text.trim();
  const settled = useDebounced(typed);
  const isWrong = typed !== '' && !isValid(typed);
  // The address has changed from outside: filters were cleared, or the user went back.
  if (value !== applied) {
    setApplied(value);
    if (value !== typed) setText(value);
  }
  useEffect(() => {
    if (settled !== typed || typed === value || isWrong) return;
    setApplied(typed);
    onChange(typed);
  }, [settled, typed, value, isWrong]);
  return (
    <SearchField
      className={`filter search ${filter.kind}`}
      value={text}
      onChange={setText}
      isInvalid={isWrong}
      aria-label={filter.label}
      aria-describedby={isWrong ? errorId : undefined}
    >
      <span className="filter-label" aria-hidden="true">
        {filter.label}
      </span>
      <div className="box">
        <Search />
        <Input className="input" spellCheck="false" autoCapitalize="none" />
        <Button className="box-button clear" aria-label={list.clear}>
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
