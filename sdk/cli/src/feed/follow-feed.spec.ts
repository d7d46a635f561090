import { DocfetchConnectionError, DocfetchError } from '../../../typescript/dist/index.js';
import { followFeed, type FeedPage, type FollowOptions } from './follow-feed';
import { retryPause } from './retry-temporary';

const page = (data: number[], poll_cursor: string, has_more = false): FeedPage<number> => ({
  data,
  meta: { poll_cursor, has_more },
});
const refused = (status: number) =>
  new DocfetchError(new Response(null, { status }), { code: 'X', detail: 'A sentence.', errors: [] });

/** Follows a feed that gives these answers, and stops after the last one. */
async function follow(answers: (FeedPage<number> | Error)[], more: Partial<FollowOptions> = {}) {
  const stop = new AbortController();
  const asked: (string | undefined)[] = [];
  const pages: { items: readonly number[]; cursor: string }[] = [];
  const notes: string[] = [];
  const options: FollowOptions = {
    ...{ intervalMs: 1, follow: true, signal: stop.signal, cursor: 'now' },
    onInterrupted: () => notes.push('interrupted'),
    onResumed: () => notes.push('resumed'),
    ...more,
  };
  const load = async (cursor: string | undefined) => {
    asked.push(cursor);
    const answer = answers.shift()!;
    if (answers.length === 0) stop.abort();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  for await (const each of followFeed(load, options)) pages.push(each);
  return { asked, pages, notes };
}

describe('Following a feed', () => {
  it('yields the first page at once, then only pages with another position', async () => {
    const { asked, pages } = await follow([
      page([], 'a'),
      page([], 'a'),
      page([1, 2], 'b', true),
      page([3], 'c'),
      page([], 'c'),
    ]);
    expect(asked).toEqual(['now', 'a', 'a', 'b', 'c']);
    expect(pages.map(({ items }) => items)).toEqual([[], [1, 2], [3]]);
  });

  it('continues at the same position after the service was away, and says so once', async () => {
    const { asked, pages, notes } = await follow([
      page([], 'a'),
      new DocfetchConnectionError('no answer'),
      refused(502),
      refused(429),
      page([1], 'b'),
    ]);
    expect(asked).toEqual(['now', 'a', 'a', 'a', 'a']);
    expect(pages.at(-1)).toEqual({ items: [1], cursor: 'b' });
    expect(notes).toEqual(['interrupted', 'resumed']);
  });

  it('ends when the service refuses the request', async () => {
    await expect(follow([page([], 'a'), refused(401), page([], 'a')])).rejects.toThrow('401');
  });

  it('ends at the end of the feed when it is not to follow it', async () => {
    const { asked } = await follow([page([1], 'a', true), page([2], 'b'), page([3], 'c')], { follow: false });
    expect(asked).toEqual(['now', 'a']);
  });

  it('waits twice as long with each failure, up to 15 seconds, and as long as the service asks for', () => {
    const lost = new DocfetchConnectionError('no answer');
    expect([1, 2, 3, 30].map((failures) => retryPause(lost, failures, 1000))).toEqual([1000, 2000, 4000, 15_000]);
    const limited = new DocfetchError(new Response(null, { status: 429, headers: { 'Retry-After': '20' } }), null);
    expect(retryPause(limited, 1, 1000)).toBe(20_000);
  });
});
