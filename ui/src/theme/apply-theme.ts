import { palette, type Scheme } from '../../../src/identities/environments/colors/palette';

const dark = matchMedia('(prefers-color-scheme: dark)');
let primary: string | null = null;
let forced: Scheme | null = null;

function applyPalette(): void {
  const properties = palette(primary, forced ?? (dark.matches ? 'dark' : 'light'));
  for (const [name, value] of Object.entries(properties)) document.documentElement.style.setProperty(name, value);
}

dark.addEventListener('change', applyPalette);

/**
 * Applies the primary color of the environment, adjusted for the color scheme; null applies the default color. The scheme is that of
 * the browser, unless one is given.
 */
export function applyTheme(color: string | null, scheme: Scheme | null = null): void {
  primary = color;
  forced = scheme;
  applyPalette();
}
