// cspell:disable
import * as checks from './check-digits';

describe('checks of identifiers', () => {
  it.each<[check: keyof typeof checks, valid: string[], invalid: string[]]>([
    ['isGln', ['4012345000009', '7300010000001'], ['4012345000008', '73000100000O1', '']],
    ['isNorwegianNumber', ['123456785', '974760673'], ['123456784', '12345678', '000000000']],
    ['isDanishNumber', ['12345678', 'DK12345678'], ['1234567', 'SE12345678', 'DK123456789']],
    ['isBelgianNumber', ['0202239951', '0871221633'], ['0202239952', '202239951']],
    ['isAustralianNumber', ['51824753556'], ['51824753557', '5182475355']],
    ['isSwedishNumber', ['5560360793', '55603607930'], ['5560360794', '556036079', '556036079X']],
    ['isItalianOffice', ['UFABCD', 'a1b2c3'], ['UFABC', 'UFABC-']],
    ['isItalianTaxCode', ['RSSMRA80A01H501U', '12345670017'], ['RSSMRA80A01H501', '1RSMRA80A01H501U', '1234567001']],
    ['isItalianVatNumber', ['IT12345670017', 'DE1'], ['IT12345670018', 'IT1234567001']],
    ['isGreekNumber', ['094019245', '0940192450'], ['094019246', '09401924', '09401924X']],
  ])('%s accepts %j and refuses %j', (check, valid, invalid) => {
    expect(valid.filter((each) => !checks[check](each))).toEqual([]);
    expect(invalid.filter((each) => checks[check](each))).toEqual([]);
  });
});
