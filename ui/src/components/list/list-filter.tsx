import { useRef } from 'react';
import { useMessages } from '../../messages/use-messages';
import { Choices } from '../choices';
import { Cross, Search } from '../icons';

/** A search field over a list. */
export function ListSearch({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { messages } = useMessages();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="field search" data-empty={value === '' ? '' : undefined}>
      <div className="box">
        <Search />
        <input
          ref={input}
          className="input"
          type="search"
          aria-label={messages.choose.search}
          placeholder={messages.choose.searchPlaceholder}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && onChange('')}
        />
        <button
          type="button"
          className="box-button clear"
          aria-label={messages.choose.clear}
          tabIndex={-1}
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
        >
          <Cross />
        </button>
      </div>
    </div>
  );
}

interface ListGroupsProps<Group extends string> {
  readonly label: string;
  readonly groups: readonly { readonly id: Group; readonly text: string }[];
  readonly selected: Group | 'ALL';
  readonly onSelect: (group: Group | 'ALL') => void;
}

/** Restricts a list to one of its groups; hidden with fewer than two. */
export function ListGroups<Group extends string>({ label, groups, selected, onSelect }: ListGroupsProps<Group>) {
  const { messages } = useMessages();
  if (groups.length < 2) return null;
  const all = { id: 'ALL', text: messages.choose.all } as const;
  return <Choices label={label} choices={[all, ...groups]} selected={selected} onSelect={onSelect} />;
}
