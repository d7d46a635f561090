import { ApiError } from '../../errors/errors';
import { decodeCursor, encodeCursor, pageOf, uuidCursor } from './page';

const isNumber = ([value, ...rest]: unknown[]) => typeof value === 'number' && rest.length === 0;

describe('cursors (decisions 1)', () => {
  it.each([[[7]], [[0]], [[Number.MAX_SAFE_INTEGER]]])('are decoded unchanged: %j', (value) => {
    const cursor = encodeCursor(value);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,256}$/);
    expect(decodeCursor(cursor, isNumber)).toEqual(value);
  });

  it.each([
    'nonsense',
    '',
    '[7]',
    Buffer.from('7').toString('base64url'),
    Buffer.from('["7"]').toString('base64url'),
    Buffer.from('[7,8]').toString('base64url'),
    Buffer.from('[]').toString('base64url'),
    Buffer.from('{"0":7}').toString('base64url'),
    Buffer.from('null').toString('base64url'),
    encodeCursor([7]).slice(0, -2),
  ])('are rejected when they are malformed: %s', (cursor) => {
    const decode = () => decodeCursor(cursor, isNumber);
    expect(decode).toThrow(ApiError);
    expect(decode).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ errors: [{ field: 'cursor', code: 'INVALID_CURSOR' }] }),
      }),
    );
  });
});

describe('pages in the order of uuids', () => {
  const rows = ['1', '2', '3'].map((digit) => ({ uuid: `019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5${digit}` }));

  it('have the last row in the cursor when another page follows', () => {
    const { page, meta } = pageOf(rows, 2);
    expect(page).toEqual(rows.slice(0, 2));
    expect(meta.has_more).toBe(true);
    expect(uuidCursor({ cursor: meta.next_cursor! })).toBe(rows[1]!.uuid);
  });

  it('end without a cursor', () => {
    expect(pageOf(rows, 3)).toEqual({ page: rows, meta: { next_cursor: null, has_more: false } });
    expect(pageOf([], 3).meta).toEqual({ next_cursor: null, has_more: false });
    expect(uuidCursor({})).toBeNull();
  });

  it.each([encodeCursor(['x']), encodeCursor([7]), encodeCursor([rows[0]!.uuid, 'x'])])('reject %s', (cursor) => {
    expect(() => uuidCursor({ cursor })).toThrow(ApiError);
  });
});
