import { AuthorizationRevoked, ClientRefused, RateLimited, Transient } from '../../core/source-errors';
import { GoogleErrorResponse } from './google-error-response';

const NOW = new Date('2026-11-20T10:00:00Z');
const PER_USER =
  "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'gmail.googleapis.com'.";
const PER_PROJECT =
  "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'gmail.googleapis.com'.";

function general(status: number, reason: string, message = '', headers: Record<string, string> = {}) {
  const body = { error: { code: status, message, errors: [{ domain: 'usageLimits', reason, message }] } };
  return new GoogleErrorResponse('Google', { status, headers, body }).classifyCommon(NOW);
}

describe('An error response of a Google API', () => {
  it.each([
    [403, 'userRateLimitExceeded', '', 'connection'],
    [403, 'rateLimitExceeded', PER_USER, 'connection'],
    [403, 'rateLimitExceeded', PER_PROJECT, 'provider'],
    [403, 'rateLimitExceeded', 'Rate Limit Exceeded', 'provider'],
    [403, 'RATE_LIMIT_EXCEEDED', PER_USER, 'connection'],
    [429, 'rateLimitExceeded', 'User-rate limit exceeded.  Retry after 2026-11-20T10:15:00.123Z', 'connection'],
    [429, 'rateLimitExceeded', 'Resource has been exhausted (e.g. check quota).', 'connection'],
    [429, 'whatever', '', 'connection'],
    [403, 'sharingRateLimitExceeded', '', 'connection'],
    [403, 'dailyLimitExceeded', 'Daily Limit Exceeded', 'provider'],
    [403, 'quotaExceeded', '', 'provider'],
  ])('with %i %s (%s) stops the %s', (status, reason, message, scope) => {
    expect(general(status, reason, message)).toBeInstanceOf(RateLimited);
    expect(general(status, reason, message)).toMatchObject({ scope });
  });

  it.each([
    [general(403, 'rateLimitExceeded', PER_USER), 60],
    [general(429, 'rateLimitExceeded', PER_USER, { 'retry-after': '7' }), 7],
    [general(429, 'rateLimitExceeded', 'User-rate limit exceeded.  Retry after 2026-11-20T10:15:00.500Z'), 901],
    [general(429, 'rateLimitExceeded', 'User-rate limit exceeded.  Retry after 2026-11-20T09:00:00.000Z'), 1],
    [general(429, 'rateLimitExceeded', 'User-rate limit exceeded.  Retry after 2027-11-20T09:00:00.000Z'), 3600],
    [general(403, 'dailyLimitExceeded'), 3600],
  ])('requests the stated pause or a default one', (error, seconds) => {
    expect(error).toMatchObject({ retryAfterSeconds: seconds });
  });

  it.each([
    [403, 'insufficientPermissions', AuthorizationRevoked],
    [403, 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', AuthorizationRevoked],
    [403, 'domainPolicy', AuthorizationRevoked],
    [403, 'accessNotConfigured', ClientRefused],
    [403, 'SERVICE_DISABLED', ClientRefused],
    [500, 'backendError', Transient],
    [503, '', Transient],
  ])('with %i %s is classified for all APIs', (status, reason, expected) => {
    expect(general(status, reason)).toBeInstanceOf(expected);
  });

  it('is otherwise classified by the API, whatever its body', () => {
    expect(general(404, 'notFound')).toBeNull();
    for (const body of [null, 'text', [], { error: 'text' }, { error: { errors: [null, 7, { reason: 7 }] } }]) {
      expect(new GoogleErrorResponse('Google', { status: 403, headers: {}, body }).classifyCommon(NOW)).toBeNull();
    }
  });

  it('repeats codes only', () => {
    const body = { error: { message: 'secret', errors: [{ reason: 'a secret sentence' }, { reason: 'notFound' }] } };
    expect(new GoogleErrorResponse('Google', { status: 404, headers: {}, body }).summary).toBe(
      'Google answers 404 (notFound).',
    );
  });
});
