import {
  Button,
  Checkbox,
  Collection,
  type Key,
  ListLayout,
  Tree,
  TreeItem,
  TreeItemContent,
  Virtualizer,
} from 'react-aria-components';
import { CheckboxIndicator } from '../fields/inputs/native-checkbox';
import { ChevronRight, Folder } from '../components/icons';
import { useMessages } from '../messages/use-messages';
import { countVisibleRows, type TreeMatch, type TreeRow } from './tree-nodes';

/** Relative to the text size, so that rows grow with it. */
const ROW_REM = 2.75;
const MAX_VISIBLE_ROWS = 9;

interface FolderTreeProps {
  readonly label: string;
  readonly rows: readonly (TreeRow | TreeMatch)[];
  /** Search results are one flat list; each has its path. */
  readonly flat: boolean;
  readonly open: ReadonlySet<string>;
  readonly expand: (keys: Set<Key>) => void;
  readonly selected: readonly string[];
  readonly multiple: boolean;
  readonly onSelect: (values: readonly string[]) => void;
  readonly retry: (parent: string) => void;
}

/** The tree. Only visible rows are rendered, so that ten thousand folders scroll smoothly. */
export function FolderTree({ label, rows, flat, open, expand, selected, multiple, onSelect, retry }: FolderTreeProps) {
  const { messages } = useMessages();
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const count = Math.max(1, Math.min(MAX_VISIBLE_ROWS, countVisibleRows(rows, open)));
  const flatten = (list: readonly TreeRow[]): TreeRow[] => list.flatMap((row) => [row, ...flatten(row.children)]);
  const disabled = flatten(rows)
    .filter(({ selectable }) => !selectable)
    .map(({ id }) => id);
  const select = (keys: 'all' | Set<Key>) => {
    if (keys !== 'all') return onSelect([...keys].map(String));
    const all = flatten(rows).filter(({ selectable }) => selectable);
    onSelect([...new Set([...selected, ...all.map(({ id }) => id)])]);
  };
  const renderRow = (row: TreeRow | TreeMatch): React.ReactElement => (
    <FolderRow row={row} renderRow={renderRow} retry={retry} />
  );
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_REM * rem }}>
      <Tree
        className="tree"
        style={{ height: `${count * ROW_REM}rem` }}
        aria-label={label}
        items={rows}
        dependencies={[messages, flat]}
        selectionMode={multiple ? 'multiple' : 'single'}
        selectedKeys={selected}
        onSelectionChange={select}
        disabledKeys={disabled}
        disabledBehavior="selection"
        expandedKeys={flat ? [] : [...open]}
        onExpandedChange={expand}
        renderEmptyState={() => <p className="list-empty">{flat ? messages.tree.nothing : messages.tree.empty}</p>}
      >
        {renderRow}
      </Tree>
    </Virtualizer>
  );
}

function FolderRow({
  row,
  renderRow,
  retry,
}: {
  row: TreeRow | TreeMatch;
  renderRow: (row: TreeRow | TreeMatch) => React.ReactElement;
  retry: (parent: string) => void;
}) {
  const { messages } = useMessages();
  const note = { loading: messages.tree.loading, failed: messages.tree.failed, empty: messages.tree.empty, option: '' }[
    row.kind
  ];
  const path = 'path' in row && row.path.length > 0 ? messages.tree.in(row.path.join(' › ')) : null;
  const text = row.kind === 'option' ? [row.label, path].filter(Boolean).join(', ') : note;
  return (
    <TreeItem id={row.id} textValue={text} className="tree-row" hasChildItems={row.hasChildren}>
      <TreeItemContent>
        {row.kind === 'option' ? (
          <>
            <Button slot="chevron" className="tree-chevron">
              <ChevronRight />
            </Button>
            {row.selectable ? (
              <Checkbox slot="selection" className="check tree-check">
                <CheckboxIndicator />
              </Checkbox>
            ) : (
              <span className="tree-check" aria-hidden="true" />
            )}
            <Folder />
            <span className="tree-label" title={text}>
              {row.label}
              {path ? <span className="about"> {path}</span> : null}
            </span>
          </>
        ) : (
          <span className="tree-note">
            {row.kind === 'loading' ? <span className="spinner" aria-hidden="true" /> : null}
            <span className="tree-note-text">{note}</span>
            {row.kind === 'failed' ? (
              <Button className="action quiet" onPress={() => retry(row.parent)}>
                {messages.retry}
              </Button>
            ) : null}
          </span>
        )}
      </TreeItemContent>
      <Collection items={row.children}>{renderRow}</Collection>
    </TreeItem>
  );
}
