import { useConsoleMessages } from '../messages/use-console-messages';

export interface Column<T> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: T) => React.ReactNode;
  /** Names the row; it is the first one, and large on narrow screens. */
  readonly isName?: boolean;
  readonly align?: 'end';
  /** Its cells have buttons, which say what they do: only screen readers need its label. */
  readonly isAction?: boolean;
  /** Left out on phones, because the view of the row has it too. */
  readonly isMinor?: boolean;
  /** Its texts are known and short: however narrow it is, lines break between words and not within them. */
  readonly keepsWords?: boolean;
}

/** Rows that are chosen by their keys. */
export interface Selection<T> {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  readonly nameOf: (row: T) => string;
  /** The number of rows that can be chosen at most. */
  readonly max: number;
}

interface TableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly gone?: ReadonlySet<string>;
  readonly selection?: Selection<T>;
}

/**
 * A table that becomes a list of cards on narrow screens. The roles are explicit, because browsers drop those of tables that are
 * not laid out as such.
 */
export function Table<T>({ caption, columns, rows, keyOf, gone, selection }: TableProps<T>) {
  return (
    <table className="table" role="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {selection ? <SelectAll keys={rows.map(keyOf)} selection={selection} /> : null}
          {columns.map(({ id, label, align, isAction }) => (
            <th key={id} role="columnheader" scope="col" className={align}>
              {isAction ? <span className="visually-hidden">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => {
          const key = keyOf(row);
          return (
            <Row
              key={key}
              row={row}
              id={key}
              columns={columns}
              isGone={gone?.has(key) ?? false}
              selection={selection}
            />
          );
        })}
      </tbody>
    </table>
  );
}

function Row<T>({
  row,
  id,
  columns,
  isGone,
  selection,
}: {
  readonly row: T;
  readonly id: string;
  readonly columns: readonly Column<T>[];
  readonly isGone: boolean;
  readonly selection: Selection<T> | undefined;
}) {
  const { list } = useConsoleMessages();
  const isSelected = selection?.selected.has(id) ?? false;
  return (
    <tr role="row" data-key={id} className={isGone ? 'outdated' : undefined}>
      {selection ? (
        <td role="cell" className="select">
          <input
            type="checkbox"
            checked={isSelected}
            disabled={!isSelected && selection.selected.size >= selection.max}
            onChange={({ target }) => selection.onChange(withKey(selection.selected, id, target.checked))}
            aria-label={list.select(selection.nameOf(row))}
          />
        </td>
      ) : null}
      {columns.map((column) =>
        column.isName ? (
          <th key={column.id} role="rowheader" scope="row" className="name">
            {column.cell(row)}
            {isGone ? <span className="tag">{list.outdated}</span> : null}
          </th>
        ) : (
          <td
            key={column.id}
            role="cell"
            className={classOf(column)}
            data-label={column.isAction ? undefined : column.label}
          >
            {column.cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}

const classOf = ({ align, isMinor, keepsWords }: Column<never>) =>
  [align, isMinor && 'minor', keepsWords && 'words'].filter(Boolean).join(' ') || undefined;

function SelectAll<T>({ keys, selection }: { readonly keys: readonly string[]; readonly selection: Selection<T> }) {
  const { list } = useConsoleMessages();
  const chosen = keys.filter((key) => selection.selected.has(key)).length;
  const most = Math.min(keys.length, selection.max);
  return (
    <th role="columnheader" scope="col" className="select">
      <input
        type="checkbox"
        checked={chosen > 0 && chosen === most}
        ref={(element) => {
          if (element) element.indeterminate = chosen > 0 && chosen < most;
        }}
        onChange={({ target }) => selection.onChange(new Set(target.checked ? keys.slice(0, most) : []))}
        aria-label={list.selectAll}
      />
    </th>
  );
}

function withKey(selected: ReadonlySet<string>, key: string, isSelected: boolean): ReadonlySet<string> {
  const next = new Set(selected);
  if (isSelected) next.add(key);
  else next.delete(key);
  return next;
}
