import {
  contrast,
  hexOf,
  parseColor,
  type Rgb,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
} from '../../../../src/identities/environments/colors/contrast';
import { palette, type Scheme, SURFACES } from '../../../../src/identities/environments/colors/palette';

export type ColorUse = 'fill' | 'onFill' | 'text' | 'selected';

/** A use of the color in one color scheme, with the lowest contrast that it has there. */
export interface ContrastResult {
  readonly scheme: Scheme;
  readonly use: ColorUse;
  readonly color: string;
  readonly background: string;
  /** Rounded down, so that nothing seems to pass that fails. */
  readonly ratio: number;
  readonly needed: number;
}

/** What WCAG 2.2 requires of the colors that are derived from the primary color (1.4.3, 1.4.11). */
export function contrastReport(primary: string | null): readonly ContrastResult[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const properties = palette(primary, scheme);
    const color = (name: string): Rgb => parseColor(properties[name]!)!;
    const [fill, text] = [color('--accent'), color('--accent-text')];
    const surfaces = SURFACES[scheme];
    return [
      resultOf(scheme, 'fill', fill, surfaces, SHAPE_CONTRAST),
      resultOf(scheme, 'onFill', color('--on-accent'), [fill, color('--accent-pressed')], TEXT_CONTRAST),
      resultOf(scheme, 'text', text, surfaces, TEXT_CONTRAST),
      resultOf(scheme, 'selected', text, [color('--accent-tint')], TEXT_CONTRAST),
    ];
  });
}

/** Whether the color is used in both schemes as it is. */
export const isUnchanged = (primary: string, report: readonly ContrastResult[]): boolean =>
  report.every(({ use, color }) => use === 'onFill' || color === primary.toLowerCase());

function resultOf(
  scheme: Scheme,
  use: ColorUse,
  color: Rgb,
  backgrounds: readonly Rgb[],
  needed: number,
): ContrastResult {
  const [[lowest, background]] = backgrounds
    .map((each) => [contrast(color, each), each] as const)
    .sort(([one], [other]) => one - other) as [readonly [number, Rgb]];
  const ratio = Math.floor(lowest * 10) / 10;
  return { scheme, use, color: hexOf(color), background: hexOf(background), ratio, needed };
}
