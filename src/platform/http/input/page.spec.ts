import { ApiError } from '../../errors/errors';
import { decodeCursor, encodeCursor } from './page';

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
