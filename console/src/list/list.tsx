import { useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { Action } from '../../../ui/src/components/action';
import { Loading } from '../../../ui/src/components/loading';
import { Notice, ProblemNotice } from '../../../ui/src/components/notice';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { formatNumber, formatTime } from '../messages/dates';
import { useConsoleMessages } from '../messages/use-console-messages';
import { wasReachedBack } from '../route';
import { useConsole } from '../session/console-session';
import { type Filter, FilterBar, useFilters } from './filters';
import { keepLeft, type ListPage, takeLeft } from './live-list';
import { LiveSwitch } from './live-switch';
import { type Column, type Selection, Table } from './table';
import { type LiveList, useLiveList } from './use-live-list';

export interface ListProps<T> {
  /** Says what the rows are, for screen readers. */
  readonly caption: string;
  /** Other lists of the view have other names. */
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  /** Loads a page; `filters` holds those that are set. */
  readonly load: (filters: Readonly<Record<string, string>>, cursor: string | undefined) => Promise<ListPage<T>>;
  readonly filters?: readonly Filter[];
  /** What to say when there are no rows without filters. */
  readonly empty: string;
  readonly selection?: Selection<T>;
  /** Rendered above the rows, for example what can be done with selected ones. */
  readonly children?: (list: LiveList<T>, filters: Readonly<Record<string, string>>) => React.ReactNode;
}

const NO_FILTERS: readonly Filter[] = [];

/** A list with filters in the address, pages, and rows that update automatically without moving. */
export function List<T>({ filters = NO_FILTERS, load, name, ...props }: ListProps<T>) {
  const { lang } = useMessages();
  const { environmentUuid, epoch } = useConsole();
  const { values, clear } = useFilters(filters);
  const key = [name, environmentUuid, lang, epoch, new URLSearchParams(values).toString()].join(' ');
  const list = useLiveList((cursor) => load(values, cursor), props.keyOf, key);
  const place = useRef<HTMLDivElement>(null);
  useKeptPlace(key, list, place);
  const isFiltered = Object.keys(values).length > 0;
  const showFresh = () =>
    void list.reload().then(() => {
      place.current?.scrollIntoView({ block: 'nearest' });
      place.current?.focus({ preventScroll: true });
    });
  return (
    <div className="list">
      <FilterBar filters={filters} />
      <div className="list-place" ref={place} tabIndex={-1} role="group" aria-label={props.caption}>
        <ListNews list={list} onShow={showFresh} />
        {props.children?.(list, values)}
        <ListBody {...props} list={list} isFiltered={isFiltered} onClear={clear} />
      </div>
    </div>
  );
}

/** New and outdated rows, and whether the list is live. It stays in view while the rows are scrolled. */
function ListNews<T>({ list, onShow }: { readonly list: LiveList<T>; readonly onShow: () => void }) {
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
          <p>{messages.stale(formatTime(shown.loadedAt, lang))}</p>
        </Notice>
      ) : null}
      {shown ? <LiveSwitch live={list.live} onChange={list.setLive} loadedAt={shown.loadedAt} /> : null}
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
    return problem ? <ProblemNotice problem={problem} retry={() => void list.reload()} /> : <Loading />;
  }
  if (shown.rows.length === 0) {
    return (
      <div className="empty">
        <p>{isFiltered ? messages.nothing : empty}</p>
        {isFiltered ? <Action onPress={onClear}>{messages.clear}</Action> : null}
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

/** Restores rows, scroll position and focus when the user goes back to the list. */
function useKeptPlace<T>(key: string, list: LiveList<T>, place: React.RefObject<HTMLDivElement | null>): void {
  const latest = useRef({ key, shown: list.shown });
  latest.current = { key, shown: list.shown };
  useEffect(() => {
    const left = wasReachedBack() ? takeLeft(key) : null;
    if (!left) return;
    scrollTo(0, left.scrollY);
    if (left.focusedKey !== null)
      place.current
        ?.querySelector<HTMLElement>(`[data-key="${CSS.escape(left.focusedKey)}"] a`)
        ?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      const { key: address, shown } = latest.current;
      const row = element?.contains(document.activeElement) ? document.activeElement?.closest('[data-key]') : null;
      if (shown)
        keepLeft(address, { shown, scrollY: window.scrollY, focusedKey: row?.getAttribute('data-key') ?? null });
    };
  }, []);
}
