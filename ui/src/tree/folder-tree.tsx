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
import { Tick } from '../fields/choice-input';
import { ChevronRight, Folder } from '../parts/icons';
import { useWords } from '../words/use-words';
import { countRows, type Found, type Row } from './branches';

/** Of the size of text, so that the rows grow with it. */
const ROW_REM = 2.75;
const MOST_ROWS = 9;

interface FolderTreeProps {
  readonly label: string;
  readonly rows: readonly (Row | Found)[];
  /** What was found stands in one list, each with its path. */
  readonly flat: boolean;
  readonly open: ReadonlySet<string>;
  readonly expand: (keys: Set<Key>) => void;
  readonly chosen: readonly string[];
  readonly multiple: boolean;
  readonly choose: (values: readonly string[]) => void;
  readonly retry: (parent: string) => void;
}

/** The tree itself. Only the rows that are seen are drawn: ten thousand folders scroll like ten. */
export function FolderTree({ label, rows, flat, open, expand, chosen, multiple, choose, retry }: FolderTreeProps) {
  const { words } = useWords();
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const count = Math.max(1, Math.min(MOST_ROWS, countRows(rows, open)));
  const flattened = (list: readonly Row[]): Row[] => list.flatMap((row) => [row, ...flattened(row.children)]);
  const disabled = flattened(rows)
    .filter(({ selectable }) => !selectable)
    .map(({ id }) => id);
  const select = (keys: 'all' | Set<Key>) => {
    if (keys !== 'all') return choose([...keys].map(String));
    const all = flattened(rows).filter(({ selectable }) => selectable);
    choose([...new Set([...chosen, ...all.map(({ id }) => id)])]);
  };
  const draw = (row: Row | Found): React.ReactElement => <FolderRow row={row} draw={draw} retry={retry} />;
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_REM * rem }}>
      <Tree
        className="tree"
        style={{ height: `${count * ROW_REM}rem` }}
        aria-label={label}
        items={rows}
        dependencies={[words, flat]}
        selectionMode={multiple ? 'multiple' : 'single'}
        selectedKeys={chosen}
        onSelectionChange={select}
        disabledKeys={disabled}
        disabledBehavior="selection"
        expandedKeys={flat ? [] : [...open]}
        onExpandedChange={expand}
        renderEmptyState={() => <p className="list-empty">{flat ? words.tree.nothing : words.tree.empty}</p>}
      >
        {draw}
      </Tree>
    </Virtualizer>
  );
}

function FolderRow({
  row,
  draw,
  retry,
}: {
  row: Row | Found;
  draw: (row: Row | Found) => React.ReactElement;
  retry: (parent: string) => void;
}) {
  const { words } = useWords();
  const note = { loading: words.tree.loading, failed: words.tree.failed, empty: words.tree.empty, option: '' }[
    row.kind
  ];
  const path = 'path' in row && row.path.length > 0 ? words.tree.in(row.path.join(' › ')) : null;
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
                <Tick />
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
            {note}
            {row.kind === 'failed' ? (
              <Button className="action quiet" onPress={() => retry(row.parent)}>
                {words.retry}
              </Button>
            ) : null}
          </span>
        )}
      </TreeItemContent>
      <Collection items={row.children}>{draw}</Collection>
    </TreeItem>
  );
}
