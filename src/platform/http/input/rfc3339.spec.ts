import { validate } from 'class-validator';
import { IsRfc3339 } from './rfc3339';

class Sample {
  @IsRfc3339()
  at: unknown;
}

const accepts = async (at: unknown) => (await validate(Object.assign(new Sample(), { at }))).length === 0;

describe('A point in time (RFC 3339)', () => {
  it.each([
    '2026-11-20',
    '2024-02-29',
    '0001-01-01',
    '2026-11-20T10:00:00Z',
    '2026-11-20T10:00:00.123456789Z',
    '2026-01-01T00:00:00+23:00',
    '2026-01-01T00:00:00-14:00',
    '9999-12-31T23:59:59-14:00',
  ])('is %s', async (text) => {
    expect(await accepts(text)).toBe(true);
  });

  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-11-31T00:00:00Z',
    '2026-00-10',
    '2026-13-01',
    '0000-01-01',
    '0001-01-01T00:00:00+23:00',
    '2026-11-20T25:00:00Z',
    '2026-11-20T10:00:00',
    'yesterday',
    20261120,
    null,
  ])('is not %s', async (value) => {
    expect(await accepts(value)).toBe(false);
  });
});
