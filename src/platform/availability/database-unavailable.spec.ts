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
  ])('knows %s as a database that is away', (code) => expect(isDatabaseUnavailable(coded(code))).toBe(true));

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    'knows it by what the driver says: %s',
    (sentence) => expect(isDatabaseUnavailable(new Error(sentence))).toBe(true),
  );

  it.each([
    coded('23505'),
    coded('40P01'),
    coded('57014'),
    new Error('Boom'),
    new Error('IMAP failed (ECONNRESET).'),
    'text',
  ])('takes nothing else for it: %s', (error) => expect(isDatabaseUnavailable(error)).toBe(false));
});
