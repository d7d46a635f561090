import { ExpectedOutput } from './expected-output';

const ONE = '01a1ff29-3528-775a-b0af-fc917999a3dd';
const OTHER = '01a1ff29-35ca-74a5-91bf-43de3f1e0cf3';

describe('expected output', () => {
  it.each([
    ['the same', { a: [1, null, 'x'] }, { a: [1, null, 'x'] }],
    ['a part of a text', { key: 'df_test_…' }, { key: 'df_test_abc' }],
    ['further members', { a: 1, '…': '…' }, { a: 1, b: 2 }],
    ['further items', [1, '…'], [1, 2, 3]],
    ['no further items', [1, '…'], [1]],
    [
      'another date',
      { on: '2026-11-21', at: '2026-11-21T17:30:53.082Z' },
      { on: '2027-01-01', at: '2027-01-01T00:00:00.000Z' },
    ],
    ['another uuid', { uuid: ONE }, { uuid: OTHER }],
    ['signs that mean something in a pattern', 'a.b*(c)…', 'a.b*(c)!'],
  ])('matches %s', (_, shown, actual) => {
    expect(new ExpectedOutput().differences(shown, actual)).toEqual([]);
  });

  it.each([
    ['another value', { a: 1 }, { a: 2 }, '$.a: the guide shows 1, the answer is 2'],
    ['another type', { a: '1' }, { a: 1 }, '$.a: the guide shows "1", the answer is 1'],
    ['a missing member', { a: 1 }, {}, '$.a: missing in the answer'],
    ['a member more', { a: 1 }, { a: 1, b: 2 }, '$.b: not shown by the guide, 2'],
    ['an item more', [1], [1, 2], '$: the guide shows 1 items, the answer has 2: [1,2]'],
    ['no uuid', ONE, 'x', `$: the guide shows "${ONE}", the answer is "x"`],
    [
      'a date without time',
      '2026-11-21T17:30:53.082Z',
      '2026-11-21',
      expect.stringContaining('the answer is "2026-11-21"'),
    ],
    ['null', { a: {} }, { a: null }, '$.a: the guide shows {}, the answer is null'],
    ['any sign for a dot', 'a.b', 'axb', '$: the guide shows "a.b", the answer is "axb"'],
  ])('does not match %s', (_, shown, actual, problem) => {
    expect(new ExpectedOutput().differences(shown, actual)).toEqual([problem]);
  });

  it('requires the same value for a uuid in all responses of a guide', () => {
    const answers = new ExpectedOutput();
    expect(answers.differences(ONE, OTHER)).toEqual([]);
    expect(answers.differences([ONE], [OTHER])).toEqual([]);
    expect(answers.differences([ONE], [ONE])).toHaveLength(1);
    expect(answers.differences([OTHER], [OTHER])).toHaveLength(1);
  });

  it('compares plain text line by line', () => {
    const answers = new ExpectedOutput();
    expect(answers.textDifferences('true\nfalse', 'true\nfalse\n')).toEqual([]);
    expect(answers.textDifferences('https://a/?sig=…', 'https://a/?sig=x\n')).toEqual([]);
    expect(answers.textDifferences('a\n…\nz', 'a\nb\nc\nz')).toEqual([]);
    expect(answers.textDifferences('true\nfalse', 'true\ntrue')).not.toEqual([]);
    expect(answers.textDifferences('true', 'true\nfalse')).not.toEqual([]);
    expect(answers.textDifferences('a…', 'a\nb')).not.toEqual([]);
  });
});
