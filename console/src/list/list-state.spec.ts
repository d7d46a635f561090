import type { Problem } from '../../../ui/src/api/problem';
import { afterFailure, afterFirst, afterMore, afterRefresh } from './list-state';

const page = (ids: string, next: string | null) => ({
  data: ids.split(' ').filter(Boolean),
  meta: { next_cursor: next },
});
const same = (id: string) => id;
const PROBLEM: Problem = {
  kind: 'rejected',
  code: 'VALIDATION_FAILED',
  detail: 'No.',
  requestId: null,
  retryAfter: null,
  fieldErrors: [],
};

describe('the state of a list', () => {
  it('keeps its rows when they cannot be updated', () => {
    const failed = afterFailure(afterFirst(page('a b', null), 'all'), PROBLEM, 'all');
    expect(failed).toMatchObject({ shown: { rows: ['a', 'b'] }, problem: PROBLEM });
  });

  it('drops the rows of other filters when the new ones fail', () => {
    const failed = afterFailure(afterFirst(page('a b', null), 'all'), PROBLEM, 'filtered');
    expect(failed).toMatchObject({ shown: null, problem: PROBLEM });
  });

  it('continues a search without results where it is', () => {
    const searched = afterMore(afterFirst(page('', 'one'), 'q'), page('', 'two'), 'one', same);
    expect(searched.shown).toMatchObject({ rows: [], next: 'two' });
    expect(afterRefresh(searched, page('', 'one'), [], same).shown).toMatchObject({ rows: [], next: 'two' });
    expect(afterRefresh(searched, page('new', 'one'), [], same).shown).toMatchObject({ rows: ['new'], next: 'one' });
    expect(afterRefresh(searched, page('', null), [], same).shown).toMatchObject({ rows: [], next: null });
  });
});
