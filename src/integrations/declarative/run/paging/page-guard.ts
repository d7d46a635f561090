import { hash } from 'node:crypto';
import { UnexpectedResponse } from '../../../core/source-errors';
import type { PagedList } from '../../compile/lists';
import type { Page } from './pages';
import type { ProviderClient } from '../provider-client';

/** Notices that the pages of one list repeat, so that reading them would never end, or that the provider returns only the beginning. */
export class PageGuard {
  private readonly positions = new Set<string>();
  private readonly contents = new Set<string>();
  private before: string | null = null;
  private count = 0;

  constructor(
    private readonly client: ProviderClient,
    private readonly stream: PagedList,
  ) {}

  /**
   * @throws UnexpectedResponse when the page is the previous one again or leads to where an earlier one has led. A position that is
   * counted never repeats, so there no earlier page may come again; a list of events may contain the same records several times.
   */
  check({ records, next }: Pick<Page, 'records' | 'next'>): void {
    const content = records.length === 0 ? null : fingerprint([records.length, records[0], records.at(-1)]);
    const isCounted = ['number', 'offset'].includes(this.stream.list.page.style);
    if (content !== null && (content === this.before || (isCounted && this.contents.has(content))))
      throw this.failure('lists the same page again');
    this.before = content;
    if (content !== null && isCounted) this.contents.add(content);
    this.count += records.length;
    if (next === null) return;
    const position = fingerprint(next);
    if (this.positions.has(position)) throw this.failure('leads back to an earlier page');
    this.positions.add(position);
  }

  /**
   * To be called after the records of a page are processed.
   * @throws UnexpectedResponse when the provider returns no more records of this list, although there may be more
   */
  checkCeiling(): void {
    const { ceiling } = this.stream.list;
    if (ceiling !== undefined && this.count >= ceiling) throw this.failure(`lists only ${ceiling} records`);
  }

  private failure(what: string): UnexpectedResponse {
    return new UnexpectedResponse(`${this.client.provider.label} ${what} (${this.stream.name}).`);
  }
}

/** Short, because a list may have thousands of pages and a cursor thousands of characters. */
const fingerprint = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64');
