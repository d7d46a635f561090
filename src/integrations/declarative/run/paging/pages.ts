import { UnexpectedResponse } from '../../../core/source-errors';
import type { PagedList } from '../../compile/lists';
import { type Scope, textOf } from '../../language/expressions/evaluate';
import { PageGuard } from './page-guard';
import type { Answer, ProviderClient, Variables } from '../provider-client';

/** Where a page begins: the variables of its request, or its address. */
export interface Position {
  readonly page?: number;
  readonly offset?: number;
  readonly cursor?: unknown;
  readonly after?: unknown;
  readonly url?: string;
}

export interface Page {
  readonly records: readonly unknown[];
  /** Null on the last page. */
  readonly next: Position | null;
  /** The cursor in the answer, also on the last page. */
  readonly cursor: unknown;
}

/** Reads the pages of a list. */
export class PageReader {
  constructor(
    private readonly client: ProviderClient,
    private readonly stream: PagedList,
    private readonly variables: Variables = {},
  ) {}

  get first(): Position {
    const { style, first } = this.stream.list.page;
    if (style === 'number') return { page: first };
    return style === 'offset' ? { offset: 0 } : {};
  }

  /** One page. @throws UnexpectedResponse when the answer has no list, and what `ProviderClient.ask` throws */
  async read(
    variables: Variables,
    position: Position = this.first,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Page> {
    const { list } = this.stream;
    const { url, ...place } = position;
    const scope = this.client.scope(null, { size: list.page.size, ...this.variables, ...variables, ...place });
    const extra = Object.entries(more).map(([name, value]) => [name, () => value] as const);
    const request = extra.length === 0 ? list.request : { ...list.request, query: [...list.request.query, ...extra] };
    const answer = await this.client.ask(request, scope, 'list', url);
    const records = list.items({ ...scope, record: answer.body });
    if (!Array.isArray(records)) {
      throw new UnexpectedResponse(
        `${this.client.provider.label} answers without a list at "${list.itemsPath}" (${this.stream.name}).`,
      );
    }
    return { records, ...this.nextOf(records, answer, position, scope) };
  }

  /** All pages from a position on. @throws UnexpectedResponse for a provider that ignores the paging or returns only the beginning, and as `read` */
  async *readAll(
    variables: Variables,
    from = this.first,
    more?: Readonly<Record<string, string>>,
  ): AsyncGenerator<Page> {
    const guard = new PageGuard(this.client, this.stream);
    for (let position: Position | null = from; position;) {
      const page: Page = await this.read(variables, position, more);
      guard.check(page);
      yield page;
      guard.checkCeiling();
      position = page.next;
    }
  }

  /** How long the pages are; a list without a size is a single page. */
  private nextOf(
    records: readonly unknown[],
    { body, headers }: Answer,
    position: Position,
    scope: Scope,
  ): Pick<Page, 'next' | 'cursor'> {
    const { page } = this.stream.list;
    const answer = { ...scope, record: body };
    const last = { ...scope, record: records.at(-1) };
    const cursor = page.style === 'cursor' ? page.value!(answer) : undefined;
    if (page.style === 'none') return { next: null, cursor };
    const offset = (position.offset ?? 0) + records.length;
    const number = position.page ?? page.first;
    const hasMore = this.hasMore(records.length, answer, offset, number);
    if (records.length === 0 && !(page.style === 'cursor' && hasMore === true)) return { next: null, cursor };
    const next = (value: unknown, follow: (value: unknown) => Position): Position | null =>
      hasMore !== false && value !== undefined ? follow(value) : null;
    switch (page.style) {
      case 'number':
        return { next: (hasMore ?? this.isFull(records)) ? { page: number + 1 } : null, cursor };
      case 'offset':
        return { next: (hasMore ?? this.isFull(records)) ? { offset } : null, cursor };
      case 'after': {
        const after = (page.value ?? this.stream.id)(last);
        return { next: (hasMore ?? this.isFull(records)) && after !== undefined ? { after } : null, cursor };
      }
      case 'cursor':
        return { next: next(cursor, (value) => ({ cursor: value })), cursor };
      case 'next':
        return { next: next(page.value!(answer), (value) => this.addressed(textOf(value))), cursor };
      case 'link':
        return { next: next(linkOf(headers['link']), (value) => this.addressed(textOf(value))), cursor };
    }
  }

  /** What the answer says itself; undefined when it says nothing. */
  private hasMore(count: number, answer: Scope, offset: number, number: number): boolean | undefined {
    const { page } = this.stream.list;
    const more = page.more?.(answer);
    if (more !== undefined) return more !== false && more !== 'false';
    const last = page.last?.(answer);
    if (last !== undefined) return last === false || last === 'false';
    const total = Number(page.total?.(answer) ?? NaN);
    if (Number.isSafeInteger(total)) return offset < total && count > 0;
    const pages = Number(page.pages?.(answer) ?? NaN);
    return Number.isSafeInteger(pages) ? number - page.first + 1 < pages : undefined;
  }

  private isFull(records: readonly unknown[]): boolean {
    return records.length >= (this.stream.list.page.size ?? 1);
  }

  private addressed(url: string): Position {
    const base = this.client.session.apiBaseUrl;
    return { url: URL.canParse(url, `${base}/`) ? new URL(url, `${base}/`).href : url };
  }
}

/** The address of the next page (RFC 8288). */
function linkOf(header: string | string[] | undefined): string | undefined {
  for (const link of [header ?? []]
    .flat()
    .join(',')
    .split(/,(?=\s*<)/)) {
    const [, address, parameters] = /^\s*<([^>]*)>(.*)$/.exec(link) ?? [];
    if (address !== undefined && /;\s*rel="?(?:[^"]* )?next(?: [^"]*)?"?\s*(?:;|$)/i.test(parameters!)) return address;
  }
  return undefined;
}
