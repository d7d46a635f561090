import { table } from './table';

describe('A table in text output', () => {
  it('has a header row, and columns as wide as their widest cell', () => {
    expect(
      table(
        ['UUID', 'NAME', 'LAST USED'],
        [
          ['1', 'Zoë & 😀', '-'],
          ['1234567', '', '2027-01-01'],
        ],
      ),
    ).toEqual([
      'UUID     NAME     LAST USED', //
      '1        Zoë & 😀  -',
      '1234567           2027-01-01',
    ]);
  });
});
