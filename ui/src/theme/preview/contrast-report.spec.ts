import { contrastReport, isUnchanged } from './contrast-report';

describe('contrastReport', () => {
  it.each(['#ffff00', '#000000', '#e8a33d', '#ffffff', null])(
    'finds sufficient contrast for %s everywhere',
    (color) => {
      const report = contrastReport(color);
      expect(report).toHaveLength(8);
      for (const { ratio, needed } of report) expect(ratio).toBeGreaterThanOrEqual(needed);
    },
  );

  it('names the color and the background that has the least contrast with it', () => {
    expect(contrastReport('#1f5fbf')[0]).toEqual({
      ...{ scheme: 'light', use: 'fill', color: '#1f5fbf', background: '#eeefec' },
      ...{ ratio: 5.2, needed: 3 },
    });
  });

  it('tells whether the color had to be changed in one of the schemes', () => {
    const isKept = (color: string) => isUnchanged(color, contrastReport(color));
    expect([isKept('#e8a33d'), isKept('#1f5fbf'), isKept('#7B7F86')]).toEqual([false, false, false]);
  });
});
