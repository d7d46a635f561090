import { palette } from './palette';

const dark = matchMedia('(prefers-color-scheme: dark)');
let primary: string | null = null;

function applyPalette(): void {
  const properties = palette(primary, dark.matches ? 'dark' : 'light');
  for (const [name, value] of Object.entries(properties)) document.documentElement.style.setProperty(name, value);
}

dark.addEventListener('change', applyPalette);

/** Applies the primary color of the environment, adjusted for the color scheme; null applies the default color. */
export function applyTheme(color: string | null): void {
  primary = color;
  applyPalette();
}
