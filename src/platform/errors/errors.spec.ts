import { conflict, forbidden, invalid, notFound, tooLarge, tooMany, unauthorized, unprocessable } from './errors';

describe('the kinds of errors (spec 7, decisions 2)', () => {
  it.each([
    [unauthorized('X'), 'unauthorized', 401],
    [forbidden('X'), 'forbidden', 403],
    [notFound('X'), 'not_found', 404],
    [conflict('X'), 'validation', 409],
    [tooLarge('X'), 'validation', 413],
    [unprocessable('X'), 'validation', 422],
    [tooMany('X', 1), 'validation', 429],
  ])('%s is %s with %i', (error, kind, status) => {
    expect([error.kind, error.getStatus(), error.code]).toEqual([kind, status, 'X']);
  });

  it('is MISSING_REQUIRED_FIELDS only when there are no other errors', () => {
    const missing = { field: 'a', code: 'REQUIRED' };
    const wrong = { field: 'b', code: 'TOO_LONG' };
    expect(invalid([missing, { ...missing, field: 'c' }])).toMatchObject({
      code: 'MISSING_REQUIRED_FIELDS',
      details: { params: { count: 2 } },
    });
    expect(invalid([missing, wrong])).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { errors: [missing, wrong] },
    });
    expect(invalid([wrong]).code).toBe('VALIDATION_FAILED');
  });
});
