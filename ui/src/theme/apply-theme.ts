import { palette } from './palette';

const dark = matchMedia('(prefers-color-scheme: dark)');
let primary: string | null = null;

function applyPalette(): void {
  const properties = palette(primary, dark.matches ? 'dark' : 'light');
  for (const [name, value] of Object.entries(properties)) document.documentElement.style.setProperty(name, value);
}

dark.addEventListener('change', applyPalette);

/** The environment's colour, corrected for both schemes; null: ours. */
export function applyTheme(color: string | null): void {
  primary = color;
  applyPalette();
}
