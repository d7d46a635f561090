import { useEffect, useMemo, useState } from 'react';
import { Button, Input, type Key, SearchField } from 'react-aria-components';
import type { InputProps } from '../fields/field-input';
import { Cross, Search } from '../parts/icons';
import { useWords } from '../words/use-words';
import { Chosen } from './chosen';
import { Action } from '../parts/action';
import { labelsOf, ROOT, rowsBelow, search, unopened } from './branches';
import { FolderTree } from './folder-tree';
import { useBranches } from './use-branches';

/** So few folders are seen at a glance. */
const SEARCH_FROM = 8;

/** One or several nodes of a tree that is loaded level by level. */
export function TreeInput({ field, value, error, onChange, onLeave, connection, labels: stored = {} }: InputProps) {
  const { words } = useWords();
  const { branches, load, loadOn, searchingOn } = useBranches(field, connection);
  const only = onlyRoot(field.options);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(only ? [only] : []));
  // A single drive or mailbox says nothing: what is in it is shown at once.
  useEffect(() => {
    if (only) void load(only);
  }, [only, load]);
  const [query, setQuery] = useState('');
  const chosen = useMemo(
    () => (Array.isArray(value) ? value : typeof value === 'string' && value ? [value] : []),
    [value],
  );
  const labels = useMemo(() => ({ ...stored, ...labelsOf(branches) }), [stored, branches]);
  const searching = query.trim() !== '';
  const found = useMemo(() => (searching ? search(query, branches) : []), [searching, query, branches]);
  const rows = useMemo(() => rowsBelow(ROOT, branches, open), [branches, open]);
  const loaded = Object.keys(labelsOf(branches)).length;
  const hasMore = useMemo(() => unopened(branches).length > 0, [branches]);
  const labelId = `label-${field.id}`;
  const errorId = `error-${field.id}`;

  const choose = (next: readonly string[]) => {
    onChange(field.multiple ? [...next] : next.at(-1));
    onLeave();
  };
  const expand = (keys: Set<Key>) => {
    const opened = new Set([...keys].map(String));
    // A level that could not be loaded is tried again when it is opened again.
    for (const id of opened) if (!branches[id] || (branches[id].state === 'failed' && !open.has(id))) void load(id);
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
        {field.label}
        {field.required ? null : <span className="optional"> ({words.optional})</span>}
      </span>
      {field.help ? <p className="help">{field.help}</p> : null}
      <Chosen
        values={chosen}
        labels={labels}
        remove={(gone) => choose(chosen.filter((id) => id !== gone))}
        label={field.label}
      />
      <div className={error ? 'tree-box invalid' : 'tree-box'}>
        {loaded >= SEARCH_FROM || hasMore ? (
          <SearchField className="search tree-search" aria-label={words.tree.search} value={query} onChange={setQuery}>
            <div className="box">
              <Search />
              <Input className="input" placeholder={words.tree.search} />
              <Button className="box-button clear" aria-label={words.choose.clear}>
                <Cross />
              </Button>
            </div>
          </SearchField>
        ) : null}
        <p role="status" className="visually-hidden">
          {searching ? words.tree.found(found.length) : ''}
        </p>
        <FolderTree
          label={field.label}
          rows={searching ? found : rows}
          flat={searching}
          open={open}
          expand={expand}
          chosen={chosen}
          multiple={field.multiple}
          choose={choose}
          retry={(parent) => void load(parent)}
        />
      </div>
      {searching && (hasMore || searchingOn) ? (
        <div className="search-on">
          <p className="help">{words.tree.searchHint}</p>
          <Action weight="quiet" busy={searchingOn} onPress={() => void loadOn()}>
            {searchingOn ? words.tree.searchingOn : words.tree.searchOn}
          </Action>
        </div>
      ) : null}
      {error ? (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** The one option of the first level, when there is but one and it has something below it. */
function onlyRoot(options: InputProps['field']['options']): string | null {
  const [first, ...others] = options ?? [];
  return first?.has_children && others.length === 0 ? first.value : null;
}
