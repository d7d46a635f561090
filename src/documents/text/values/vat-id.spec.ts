import { vatIdsIn } from './vat-id';

const ids = (text: string) => vatIdsIn(text).map(({ id }) => id);

describe('a VAT identification number in a document', () => {
  it.each([
    ['DE136695976', 'DE136695976'],
    ['DE 136 695 976', 'DE136695976'],
    ['ATU13585627', 'ATU13585627'],
    ['BE0428759497', 'BE0428759497'],
    ['CHE-100.155.212 MWST', 'CHE100155212'],
    ['DK 13 58 56 28', 'DK13585628'],
    ['ESB58378431', 'ESB58378431'],
    ['FI20774740', 'FI20774740'],
    ['FR 40 303265045', 'FR40303265045'],
    ['GB 980 7806 84', 'GB980780684'],
    ['IE6433435F', 'IE6433435F'],
    ['IT00743110157', 'IT00743110157'],
    ['LU15027442', 'LU15027442'],
    ['NL004495445B01', 'NL004495445B01'],
    ['PL8567346215', 'PL8567346215'],
    ['PT501964843', 'PT501964843'],
    ['SE123456789701', 'SE123456789701'],
  ])('%s is found', (text, id) => {
    expect(ids(`USt-IdNr. ${text} Amtsgericht`)).toEqual([id]);
  });

  it.each([
    'DE136695977',
    'DE13669597',
    'DE1366959761',
    'ATU13585628',
    'XDE136695976',
    'FR41303265045',
    'HR12345678901',
  ])('%s is left, because it is not proven', (text) => {
    expect(ids(`USt-IdNr. ${text} Amtsgericht`)).toEqual([]);
  });
});
