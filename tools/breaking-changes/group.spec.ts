import { grouped, listed } from './group';

describe('grouped', () => {
  it('names all operations of a change once, whatever the status of the response, and errors first', () => {
    const text = (status: string) => `added the optional property \`a\` to the response with the \`${status}\` status`;
    expect(
      grouped([
        { id: 'added', text: text('200'), level: 1, operation: 'GET', path: '/a' },
        { id: 'added', text: text('404'), level: 1, operation: 'GET', path: '/a' },
        { id: 'added', text: text('200'), level: 1, operation: 'PUT', path: '/a' },
        { id: 'gone', text: 'the header `b` was removed for the status `200`', level: 3, operation: 'GET', path: '/b' },
        { id: 'component', text: 'a component was removed', level: 1 },
      ]),
    ).toEqual([
      {
        change: 'gone: the header `b` was removed',
        sentence: 'the header `b` was removed',
        level: 3,
        operations: ['GET /b'],
      },
      {
        change: 'added: added the optional property `a` to the response',
        sentence: 'added the optional property `a` to the response',
        level: 1,
        operations: ['GET /a', 'PUT /a'],
      },
      { change: 'component: a component was removed', sentence: 'a component was removed', level: 1, operations: [] },
    ]);
  });
});

describe('listed', () => {
  it('shows the first operations and counts the others', () => {
    expect(listed(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
    expect(listed(['a', 'b'], 2, '`')).toBe('`a`, `b`');
  });
});
