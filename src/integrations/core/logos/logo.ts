import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Integration } from '../integration';
import { type BrandIcon, findBrandIcon } from './brand-icons';

/** The side of a tile, and of the icon in its middle, in user units. */
const TILE = 48;
const ICON = 28;
/** White on a darker brand color has a contrast of at least 3 : 1 (WCAG 2.2, 1.4.11). */
const MAX_LUMINANCE_FOR_WHITE = 0.3;

/**
 * The logo of an integration as SVG: the picture in the folder of a protocol's connector, which shows no brand; the brand's artwork from
 * simple-icons (CC0), where it has the brand; a neutral tile with the initials of its name otherwise. Brands are never imitated.
 */
export function logoOf(integration: Pick<Integration, 'id' | 'name' | 'logo'>): string {
  const own = join(__dirname, '../..', integration.id.replaceAll('_', '-'), 'logo.svg');
  if (existsSync(own)) return readFileSync(own, 'utf8');
  const icon = findBrandIcon(integration.logo ?? integration.id.replaceAll('_', ''));
  return icon ? brandTile(icon) : initialsTile(integration.name.en);
}

function brandTile({ title, hex, path }: BrandIcon): string {
  const [scale, margin] = [ICON / 24, (TILE - ICON) / 2];
  const color = luminance(hex) > MAX_LUMINANCE_FOR_WHITE ? '#111' : '#fff';
  return tile(
    title,
    `#${hex}`,
    `<path transform="translate(${margin} ${margin}) scale(${scale.toFixed(4)})" fill="${color}" d="${path}"/>`,
  );
}

function initialsTile(name: string): string {
  const font = `font-family="system-ui, sans-serif" font-size="20" font-weight="600"`;
  return tile(
    name,
    '#e6eaf0',
    `<text x="24" y="31" text-anchor="middle" fill="#3a4556" ${font}>${escape(initials(name))}</text>`,
  );
}

const tile = (label: string, background: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${TILE} ${TILE}" role="img" aria-label="${escape(label)}">` +
  `<rect x="2" y="2" width="44" height="44" rx="10" fill="${background}"/>${content}</svg>\n`;

/** The first letters of the first two words, or the first letter of a single word. */
const initials = (name: string): string =>
  (name.match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The relative luminance of an sRGB color, 0 (black) to 1 (white), by WCAG 2.2. */
function luminance(hex: string): number {
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
