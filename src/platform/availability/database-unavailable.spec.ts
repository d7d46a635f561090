import { isDatabaseUnavailable } from './database-unavailable';

const coded = (code: string) => Object.assign(new Error('It failed.'), { code });

describe('isDatabaseUnavailable', () => {
  it.each([
    '57P01',
    '57P02',
    '57P03',
    '08006',
    '53300',
    '53100',
    '58030',
    '25P03',
    '25006',
    'ECONNREFUSED',
    'ECONNRESET',
  ])('recognizes %s', (code) => expect(isDatabaseUnavailable(coded(code))).toBe(true));

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    'recognizes the driver error: %s',
    (sentence) => expect(isDatabaseUnavailable(new Error(sentence))).toBe(true),
  );

  it.each([
    coded('23505'),
    coded('40P01'),
    coded('57014'),
    new Error('Boom'),
    new Error('IMAP failed (ECONNRESET).'),
    'text',
  ])('is false for other errors: %s', (error) => expect(isDatabaseUnavailable(error)).toBe(false));
});
