import { ListGroups, ListSearch } from '../../components/list/list-filter';
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
      <ListSearch value={filter.query} onChange={(query) => onChange({ ...filter, query })} />
      <ListGroups
        label={messages.overview.groups}
        groups={groups.map((id) => ({ id, text: `${messages.overview.group[id]} (${counts.get(id)})` }))}
        selected={filter.group}
        onSelect={(group) => onChange({ ...filter, group })}
      />
    </div>
  );
}
