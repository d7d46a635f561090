import { ibansIn } from './iban-in';

const ibans = (text: string) => ibansIn(text).map(({ iban }) => iban);

describe('an IBAN in a document', () => {
  it.each([
    ['IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX', 'DE89370400440532013000'],
    ['IBAN: DE89370400440532013000', 'DE89370400440532013000'],
    ['AT61 1904 3002 3457 3201 Raiffeisen', 'AT611904300234573201'],
    ['CH93 0076 2011 6238 5295 7', 'CH9300762011623852957'],
    ['NL91 ABNA 0417 1643 00', 'NL91ABNA0417164300'],
  ])('%s is found', (text, iban) => {
    expect(ibans(text)).toEqual([iban]);
  });

  it.each(['DE89 3704 0044 0532 0130 01', 'DE89 3704 0044 0532 0130', 'DE89370400440532013000123', 'DE89 **** 3000'])(
    '%s is left',
    (text) => {
      expect(ibans(text)).toEqual([]);
    },
  );
});
