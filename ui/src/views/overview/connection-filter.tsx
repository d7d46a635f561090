import { Button, Input, SearchField, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { Cross, Search } from '../../components/icons';
import { useMessages } from '../../messages/use-messages';
import { type ConnectionFilter, type Group, GROUPS, groupOf, type Source } from './find-connections';

/** The search and the groups of an overview with many sources. */
export function ConnectionFilterTools({
  sources,
  filter,
  onChange,
}: {
  sources: readonly Source[];
  filter: ConnectionFilter;
  onChange: (filter: ConnectionFilter) => void;
}) {
  const { messages } = useMessages();
  const counts = new Map<Group, number>();
  for (const { connection } of sources) counts.set(groupOf(connection), (counts.get(groupOf(connection)) ?? 0) + 1);
  const groups = GROUPS.filter((group) => counts.has(group));
  return (
    <div className="choose-tools">
      <SearchField
        className="field search"
        aria-label={messages.choose.search}
        value={filter.query}
        onChange={(query) => onChange({ ...filter, query })}
      >
        <div className="box">
          <Search />
          <Input className="input" placeholder={messages.choose.searchPlaceholder} />
          <Button className="box-button clear" aria-label={messages.choose.clear}>
            <Cross />
          </Button>
        </div>
      </SearchField>
      {groups.length > 1 ? (
        <ToggleButtonGroup
          className="kinds"
          aria-label={messages.overview.groups}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[filter.group]}
          onSelectionChange={([group]) => onChange({ ...filter, group: group as ConnectionFilter['group'] })}
        >
          <ToggleButton className="kind" id="ALL">
            {messages.choose.all}
          </ToggleButton>
          {groups.map((group) => (
            <ToggleButton className="kind" key={group} id={group}>
              {messages.overview.group[group]} ({counts.get(group)})
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      ) : null}
    </div>
  );
}
