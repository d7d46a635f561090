import { useEffect, useRef, useState } from 'react';
import { Action } from '../../../ui/src/components/action';
import { SelectField } from '../form/small-fields';
import { useConsoleMessages } from '../messages/use-console-messages';
import { DateFilter, TypedFilter } from './entered-filters';
import { type Filter, isUuid, useFilters } from './use-filters';

export function FilterBar({ filters }: { readonly filters: readonly Filter[] }) {
  const { list } = useConsoleMessages();
  const { values, set, clear } = useFilters(filters);
  const [clears, setClears] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The button that was pressed has disappeared.
    if (clears > 0) form.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, [clears]);
  if (filters.length === 0) return null;
  return (
    <form
      className="filters"
      role="search"
      aria-label={list.filters}
      ref={form}
      onSubmit={(event) => event.preventDefault()}
    >
      {filters.map((filter) => (
        <FilterInput
          // Text that is not applied yet is cleared too.
          key={`${filter.name} ${clears}`}
          filter={filter}
          value={values[filter.name] ?? ''}
          onChange={(value) => set(filter.name, value)}
        />
      ))}
      {Object.keys(values).length > 0 ? (
        <Action
          variant="quiet"
          onPress={() => {
            clear();
            setClears(clears + 1);
          }}
        >
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

function FilterInput({ filter, ...props }: FilterInputProps) {
  const { list } = useConsoleMessages();
  const { kind, label } = filter;
  if (kind === 'search') return <TypedFilter {...{ ...props, kind, label }} isValid={() => true} />;
  if (kind === 'uuid') return <TypedFilter {...{ ...props, kind, label }} isValid={isUuid} />;
  if (kind === 'date') return <DateFilter {...{ ...props, label }} />;
  return <SelectField {...{ ...props, label }} options={[['', filter.all ?? list.all], ...filter.options]} />;
}
