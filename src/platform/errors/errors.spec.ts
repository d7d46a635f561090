import { ERROR_STATUSES, type ErrorCode } from './error-codes';
import { ApiError, conflict, forbidden, invalid, notFound, tooMany, unauthorized, unprocessable } from './errors';

describe('the kinds of errors (spec 7, decisions 2)', () => {
  it.each([
    [unauthorized('TOKEN_EXPIRED'), 'unauthorized', 401],
    [forbidden('NOT_YOUR_CONNECTION'), 'forbidden', 403],
    [notFound('CONNECTION_NOT_FOUND'), 'not_found', 404],
    [conflict('SCHEDULED_FETCH_DUE'), 'validation', 409],
    [new ApiError('BODY_TOO_LARGE'), 'validation', 413],
    [unprocessable('STEP_NOT_AVAILABLE'), 'validation', 422],
    [tooMany('RATE_LIMITED', 1), 'validation', 429],
    [new ApiError('INTERNAL_ERROR'), 'internal', 500],
  ])('%s is %s with %i', (error, kind, status) => {
    expect([error.kind, error.getStatus(), ERROR_STATUSES[error.code]]).toEqual([kind, status, status]);
  });

  it('refuses, when compiled, a code with another status and an unknown code', () => {
    // @ts-expect-error -- 403
    expect(notFound('NOT_YOUR_CONNECTION').getStatus()).toBe(403);
    // @ts-expect-error -- 404
    expect(unprocessable('CONNECTION_NOT_FOUND').getStatus()).toBe(404);
    // @ts-expect-error -- not in the table
    const unknown: ErrorCode = 'NO_SUCH_CODE';
    expect(ERROR_STATUSES).not.toHaveProperty(unknown);
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
