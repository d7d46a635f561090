import { useEffect, useMemo, useState } from 'react';
import { Button, Input, type Key, SearchField } from 'react-aria-components';
import type { InputProps } from '../fields/field-input';
import { LabelText, NativeError } from '../fields/native-field';
import { Breakable } from '../components/breakable';
import { Cross, Search } from '../components/icons';
import { useMessages } from '../messages/use-messages';
import { keepInTab, readTab } from '../session/tab-state';
import { SelectedTags } from './selected-tags';
import { Action } from '../components/action';
import { isWhole, labelsOf, ROOT, treeRows, searchNodes, unloadedParents } from './tree-nodes';
import { FolderTree } from './folder-tree';
import { useTreeNodes } from './use-tree-nodes';

/** Below this number of folders, the search field is hidden. */
const SEARCH_FROM = 8;

/** Selects one or several nodes of a tree that is loaded level by level. */
export function TreeInput({ field, value, error, onChange, onBlur, connection, labels: stored = {} }: InputProps) {
  const { messages } = useMessages();
  const { nodes, load, loadMore, loadingMore } = useTreeNodes(field, connection);
  const onlyRoot = singleRoot(field.options);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(onlyRoot ? [onlyRoot] : []));
  // A single root, such as the only drive, is expanded immediately.
  useEffect(() => {
    if (onlyRoot) void load(onlyRoot);
  }, [onlyRoot, load]);
  const [query, setQuery] = useState('');
  const selected = useMemo(
    () => (Array.isArray(value) ? value : typeof value === 'string' && value ? [value] : []),
    [value],
  );
  const labels = useMemo(() => ({ ...readTab().labels, ...stored, ...labelsOf(nodes) }), [stored, nodes]);
  const searching = query.trim() !== '';
  const matches = useMemo(() => (searching ? searchNodes(query, nodes) : []), [searching, query, nodes]);
  const rows = useMemo(() => treeRows(ROOT, nodes, open), [nodes, open]);
  const known = useMemo(() => labelsOf(nodes), [nodes]);
  // What only the provider knows is not said to be gone.
  const gone = useMemo(
    () => (isWhole(nodes) ? selected.filter((id) => known[id] === undefined) : []),
    [nodes, known, selected],
  );
  const loaded = Object.keys(known).length;
  const hasMore = useMemo(() => unloadedParents(nodes).length > 0, [nodes]);
  const labelId = `label-${field.id}`;
  const errorId = `error-${field.id}`;

  const select = (next: readonly string[]) => {
    const chosen = next.filter((id) => labels[id] !== undefined);
    keepInTab({ labels: { ...readTab().labels, ...Object.fromEntries(chosen.map((id) => [id, labels[id]!])) } });
    onChange(field.multiple ? [...next] : next.at(-1));
    onBlur();
  };
  const expand = (keys: Set<Key>) => {
    const opened = new Set([...keys].map(String));
    // A level that failed to load is loaded again when it is expanded again.
    for (const id of opened) if (!nodes[id] || (nodes[id].state === 'failed' && !open.has(id))) void load(id);
    setOpen(opened);
  };

  return (
    <div
      className="field tree-field"
      role="group"
      aria-labelledby={labelId}
      aria-describedby={error ? errorId : undefined}
    >
      <span className="label" id={labelId}>
        <LabelText field={field} />
      </span>
      {field.help ? (
        <p className="help">
          <Breakable>{field.help}</Breakable>
        </p>
      ) : null}
      <SelectedTags
        values={selected}
        labels={labels}
        gone={gone}
        remove={(removed) => select(selected.filter((id) => id !== removed))}
        label={field.label}
      />
      <div className={error ? 'tree-box invalid' : 'tree-box'}>
        {loaded >= SEARCH_FROM || hasMore ? (
          <SearchField
            className="search tree-search"
            aria-label={messages.tree.search}
            value={query}
            onChange={setQuery}
          >
            <div className="box">
              <Search />
              <Input className="input" placeholder={messages.tree.search} />
              <Button className="box-button clear" aria-label={messages.choose.clear}>
                <Cross />
              </Button>
            </div>
          </SearchField>
        ) : null}
        <p role="status" className="visually-hidden">
          {searching ? messages.tree.found(matches.length) : ''}
        </p>
        <FolderTree
          label={field.label}
          rows={searching ? matches : rows}
          flat={searching}
          open={open}
          expand={expand}
          selected={selected}
          multiple={field.multiple}
          onSelect={select}
          retry={(parent) => void load(parent)}
        />
      </div>
      {searching && (hasMore || loadingMore) ? (
        <div className="search-more">
          <p className="help">{messages.tree.searchHint}</p>
          <Action variant="quiet" busy={loadingMore} onPress={() => void loadMore()}>
            {loadingMore ? messages.tree.searchingMore : messages.tree.searchMore}
          </Action>
        </div>
      ) : null}
      <NativeError id={errorId} error={error} />
    </div>
  );
}

/** The only option of the first level, if it has children; null if there are several. */
function singleRoot(options: InputProps['field']['options']): string | null {
  const [first, ...others] = options ?? [];
  return first?.has_children && others.length === 0 ? first.value : null;
}
