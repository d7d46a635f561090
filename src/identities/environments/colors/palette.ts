import { hexOf, mix, parseColor, readableOn, type Rgb, SHAPE_CONTRAST, TEXT_CONTRAST, textColorOn } from './contrast';

export type Scheme = 'light' | 'dark';

/** The background colors below the accent color; `ui/src/style/base.css` defines them as `--page`, `--surface` and `--quiet`. */
export const SURFACES: Readonly<Record<Scheme, readonly Rgb[]>> = {
  light: [
    [246, 246, 243],
    [255, 255, 255],
    [238, 239, 236],
  ],
  dark: [
    [22, 24, 27],
    [31, 34, 38],
    [43, 47, 52],
  ],
};

const DEFAULT_COLOR = '#2b5f8a';

/** The CSS custom properties of the accent color in a color scheme, with sufficient contrast for any `primary` color. */
export function palette(primary: string | null, scheme: Scheme): Readonly<Record<string, string>> {
  const wanted = (primary && parseColor(primary)) || parseColor(DEFAULT_COLOR)!;
  const backgrounds = SURFACES[scheme];
  const fill = readableOn(wanted, backgrounds, SHAPE_CONTRAST);
  const on = textColorOn(fill);
  const pressed = readableOn(mix(fill, on[0] === 255 ? [0, 0, 0] : [255, 255, 255], 0.14), [on], TEXT_CONTRAST);
  return {
    '--accent': hexOf(fill),
    '--accent-pressed': hexOf(pressed),
    '--on-accent': hexOf(on),
    '--accent-text': hexOf(readableOn(wanted, [...backgrounds, tint(fill, scheme)], TEXT_CONTRAST)),
    '--accent-tint': hexOf(tint(fill, scheme)),
  };
}

/** A light tint of the accent color for the background of selected elements. */
function tint(fill: Rgb, scheme: Scheme): Rgb {
  return mix(SURFACES[scheme][1]!, fill, scheme === 'light' ? 0.08 : 0.16);
}
