import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { fieldMessagesOf } from '../../../ui/src/api/problem';
import { Action } from '../../../ui/src/components/action';
import { Loading } from '../../../ui/src/components/loading';
import { Notice, ProblemNotice } from '../../../ui/src/components/notice';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { formatNumber, formatTime } from '../messages/dates';
import { useConsoleMessages } from '../messages/use-console-messages';
import { useConsole } from '../session/console-session';
import { FilterBar } from './filters';
import type { ListPage } from './live-list';
import { LiveSwitch } from './live-switch';
import { type Column, type Selection, Table } from './table';
import { type Filter, useFilters } from './use-filters';
import { type LiveList, useLiveList } from './use-live-list';
import { useFocusKeeper, useKeptPlace } from './use-place';

export interface ListProps<T> {
  /** Names the rows for screen readers. */
  readonly caption: string;
  /** Other lists of the view have other names. */
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  /** Loads a page; `filters` holds those that are set. */
  readonly load: (filters: Readonly<Record<string, string>>, cursor: string | undefined) => Promise<ListPage<T>>;
  readonly filters?: readonly Filter[];
  /** The text for no rows without filters. */
  readonly empty: string;
  /** It is emptied by other filters, and loses rows that are not shown any more. */
  readonly selection?: Selection<T>;
  /** The list is loaded again when it grows, after a change by this page. */
  readonly changes?: number;
  /** Rendered above the rows, for example actions on selected ones. */
  readonly children?: (list: LiveList<T>, filters: Readonly<Record<string, string>>) => React.ReactNode;
}

const NO_FILTERS: readonly Filter[] = [];

/** A list with filters in the address, pages, and rows that update automatically without moving. */
export function List<T>({ filters = NO_FILTERS, load, name, changes = 0, ...props }: ListProps<T>) {
  const { lang } = useMessages();
  const { environmentUuid, epoch } = useConsole();
  const { values, clear } = useFilters(filters);
  const query = new URLSearchParams(values).toString();
  const key = [name, environmentUuid, lang, epoch, query].join(' ');
  const list = useLiveList((cursor) => load(values, cursor), props.keyOf, key);
  const place = useRef<HTMLDivElement>(null);
  useKeptPlace(key, list.shown, place);
  useSelectionOfShown(props.selection, list.shown?.rows.map(props.keyOf) ?? [], query);
  const focusKeeper = useFocusKeeper(place);
  const { reload } = list;
  useEffect(() => {
    if (changes > 0) void reload();
  }, [changes, reload]);
  const isFiltered = Object.keys(values).length > 0;
  const showFresh = () =>
    void list.reload().then(() => {
      place.current?.scrollIntoView({ block: 'nearest' });
      place.current?.focus({ preventScroll: true });
    });
  return (
    <div className="list">
      <FilterBar filters={filters} />
      <div className="list-place" ref={place} tabIndex={-1} role="group" aria-label={props.caption} {...focusKeeper}>
        <ListUpdates list={list} onShow={showFresh} />
        {props.children?.(list, values)}
        <ListBody {...props} list={list} isFiltered={isFiltered} onClear={clear} />
      </div>
    </div>
  );
}

/** New and outdated rows, and whether the list is live. It stays in view while the rows are scrolled. */
function ListUpdates<T>({ list, onShow }: { readonly list: LiveList<T>; readonly onShow: () => void }) {
  const { lang } = useMessages();
  const messages = useConsoleMessages().list;
  const { fresh, gone, shown, problem } = list;
  const count = `${formatNumber(fresh.count, lang)}${fresh.more ? '+' : ''}`;
  return (
    <div className="list-news">
      <div role="status">
        {fresh.count > 0 || gone.size > 0 ? (
          <Button className="action news" onPress={onShow}>
            {fresh.count > 0 ? messages.fresh(count) : messages.gone(gone.size)}
          </Button>
        ) : null}
      </div>
      {shown && problem ? (
        <Notice tone="warning" role="status">
          {problem.kind === 'network' ? (
            <p>{messages.stale(formatTime(shown.loadedAt, lang))}</p>
          ) : (
            <>
              <p>{messages.notUpdated(formatTime(shown.loadedAt, lang))}</p>
              <p>{[problem.detail, ...fieldMessagesOf(problem)].filter(Boolean).join(' ')}</p>
            </>
          )}
        </Notice>
      ) : null}
      {shown ? (
        <LiveSwitch live={list.live} onChange={list.setLive} loadedAt={problem ? null : shown.loadedAt} />
      ) : null}
    </div>
  );
}

function ListBody<T>({
  list,
  isFiltered,
  onClear,
  empty,
  ...table
}: Pick<ListProps<T>, 'caption' | 'columns' | 'keyOf' | 'empty' | 'selection'> & {
  readonly list: LiveList<T>;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  const messages = useConsoleMessages().list;
  const { shown, problem, loadMore, moreProblem, busy, gone } = list;
  if (!shown) {
    if (!problem) return <Loading />;
    const more = fieldMessagesOf(problem);
    return <ProblemNotice problem={problem} more={more} retry={() => void list.reload()} />;
  }
  if (shown.rows.length === 0) {
    const none = isFiltered ? messages.nothing : empty;
    return (
      <div className="empty">
        <p>{loadMore ? messages.nothingSoFar : none}</p>
        {moreProblem ? <ProblemNotice problem={moreProblem} /> : null}
        <p className="actions">
          {loadMore ? (
            <Action variant="primary" onPress={loadMore} busy={busy}>
              {messages.searchOn}
            </Action>
          ) : null}
          {isFiltered ? <Action onPress={onClear}>{messages.clear}</Action> : null}
        </p>
      </div>
    );
  }
  return (
    <>
      {shown.isTruncated ? <p className="help">{messages.truncated}</p> : null}
      <Table {...table} rows={shown.rows} gone={gone} />
      {moreProblem ? <ProblemNotice problem={moreProblem} /> : null}
      {loadMore ? (
        <p className="actions">
          <Action onPress={loadMore} busy={busy}>
            {messages.more}
          </Action>
        </p>
      ) : null}
    </>
  );
}

function useSelectionOfShown<T>(selection: Selection<T> | undefined, shown: readonly string[], query: string): void {
  const latest = useRef(selection);
  latest.current = selection;
  const shownKeys = shown.join();
  useEffect(() => {
    const { selected, onChange } = latest.current ?? {};
    const kept = [...(selected ?? [])].filter((key) => shown.includes(key));
    if (selected && onChange && kept.length < selected.size) onChange(new Set(kept));
  }, [shownKeys]);
  useEffect(() => () => latest.current?.onChange(new Set()), [query]);
}
