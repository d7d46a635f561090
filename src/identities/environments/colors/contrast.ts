/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** Minimum contrast by WCAG 2.2: 1.4.3 for text, 1.4.11 for user interface components. */
export const TEXT_CONTRAST = 4.5;
export const SHAPE_CONTRAST = 3;
const STEPS = 40;

/** `#rgb` or `#rrggbb`; null for anything else. */
export function parseColor(text: string): Rgb | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim());
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  const digits = short ? short.slice(1).map((digit) => digit + digit) : long?.slice(1);
  return digits ? (digits.map((digit) => parseInt(digit, 16)) as unknown as Rgb) : null;
}

export function hexOf(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance (WCAG 2.2). */
function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio from 1 (same color) to 21 (black on white). */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return a.map((part, at) => part + (b[at]! - part) * share) as unknown as Rgb;
}

/** The color itself, or the nearest darker or lighter one that has at least the `wanted` contrast with all backgrounds. */
export function readableOn(color: Rgb, backgrounds: readonly Rgb[], wanted: number): Rgb {
  const enough = (candidate: Rgb) =>
    backgrounds.every((background) => contrast(toBytes(candidate), background) >= wanted);
  const away = luminance(backgrounds[0]!) > 0.18 ? BLACK : WHITE;
  for (let step = 0; step <= STEPS; step++) {
    const candidate = mix(color, away, step / STEPS);
    if (enough(candidate)) return toBytes(candidate);
  }
  return away;
}

/** Black or white, whichever has the higher contrast; that contrast is always above 4.5. */
export function textColorOn(background: Rgb): Rgb {
  return contrast(background, WHITE) >= contrast(background, BLACK) ? WHITE : BLACK;
}

const toBytes = (color: Rgb): Rgb => color.map(Math.round) as unknown as Rgb;
