import { Button, Input, SearchField, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { useMessages } from '../../messages/use-messages';
import { Cross, Search } from '../icons';

/** A search field over a list. */
export function ListSearch({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { messages } = useMessages();
  return (
    <SearchField className="field search" aria-label={messages.choose.search} value={value} onChange={onChange}>
      <div className="box">
        <Search />
        <Input className="input" placeholder={messages.choose.searchPlaceholder} />
        <Button className="box-button clear" aria-label={messages.choose.clear}>
          <Cross />
        </Button>
      </div>
    </SearchField>
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
  return (
    <ToggleButtonGroup
      className="kinds"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[selected]}
      onSelectionChange={([group]) => onSelect(group as Group | 'ALL')}
    >
      <ToggleButton className="kind" id="ALL">
        {messages.choose.all}
      </ToggleButton>
      {groups.map(({ id, text }) => (
        <ToggleButton className="kind" key={id} id={id}>
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
