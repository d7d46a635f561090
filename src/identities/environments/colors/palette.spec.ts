import { contrast, parseColor, type Rgb } from './contrast';
import { palette, type Scheme, SURFACES } from './palette';

const color = (text: string): Rgb => parseColor(text)!;

describe('the palette of an environment', () => {
  const colors = [
    '#ffff00',
    '#ffffff',
    '#000000',
    '#767676',
    '#1f6feb',
    '#ff0000',
    '#00ff00',
    '#0000ff',
    '#f0f',
    null,
    'red',
  ];
  const schemes: Scheme[] = ['light', 'dark'];

  it.each(schemes.flatMap((scheme) => colors.map((primary) => [primary, scheme] as const)))(
    'makes %s readable in the %s scheme',
    (primary, scheme) => {
      const properties = palette(primary, scheme);
      const [accent, pressed, on, text, tint] = [
        properties['--accent']!,
        properties['--accent-pressed']!,
        properties['--on-accent']!,
        properties['--accent-text']!,
        properties['--accent-tint']!,
      ].map(color) as [Rgb, Rgb, Rgb, Rgb, Rgb];
      expect(contrast(accent, on)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(pressed, on)).toBeGreaterThanOrEqual(4.5);
      for (const surface of SURFACES[scheme]) {
        expect(contrast(accent, surface)).toBeGreaterThanOrEqual(3);
        expect(contrast(text, surface)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(text, tint)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('keeps a color that has sufficient contrast', () => {
    expect(palette('#1f5fbf', 'light')['--accent']).toBe('#1f5fbf');
    expect(palette('#1f5fbf', 'light')['--accent-text']).toBe('#1f5fbf');
  });

  it('has a contrast of 21 for black on white', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([255, 255, 255], [255, 255, 255])).toBeCloseTo(1);
  });
});
