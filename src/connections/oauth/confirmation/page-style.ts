import { palette, type Scheme } from '../../../identities/environments/colors/palette';

/** Colors and sizes of the hosted UI (`ui/src/style`), for a page without scripts. */
const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f6f3; --surface: #ffffff; --quiet: #eeefec; --line: #d9dad5; --line-strong: #84877f;
  --text: #1e2124; --text-soft: #565b60;
  --shadow: 0 1px 2px rgb(20 24 28 / 6%), 0 4px 16px rgb(20 24 28 / 5%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16181b; --surface: #1f2226; --quiet: #2b2f34; --line: #383d43; --line-strong: #868c93;
    --text: #eceef0; --text-soft: #adb3b9;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%);
  }
}
*, *::before, *::after { box-sizing: border-box; }
html {
  font: 100%/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  color: var(--text); background: var(--page); -webkit-text-size-adjust: 100%;
}
body { margin: 0; overflow-wrap: anywhere; }
h1, p { margin: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; hyphens: auto; }
.frame { max-width: 44rem; margin: 0 auto; padding: 0 1rem 2rem; }
.frame-head { display: flex; align-items: center; min-height: 4rem; padding: 0.75rem 0; }
.brand-logo { display: block; max-width: min(12rem, 50vw); max-height: 2.25rem; }
.brand-name { font-weight: 650; }
.page {
  display: flex; flex-direction: column; gap: 1.25rem; padding: clamp(1.25rem, 5vw, 2.25rem);
  background: var(--surface); border: 1px solid var(--line); border-top: 0.25rem solid var(--accent);
  border-radius: 1rem; box-shadow: var(--shadow);
}
.lead { color: var(--text-soft); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.action {
  font: inherit; font-weight: 550; min-height: 2.75rem; padding: 0.5rem 1.125rem; border: 1px solid var(--line-strong);
  border-radius: 0.625rem; background: var(--surface); color: var(--text); text-decoration: none; cursor: pointer;
}
.action:hover { background: var(--quiet); }
.action.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.action.primary:hover { background: var(--accent-pressed); }
.action:focus-visible { outline: 0.1875rem solid var(--accent); outline-offset: 0.125rem; }
`;

/** The style sheet with the environment's color, which is adjusted for the contrast of the text on it, as in the hosted UI. */
export function styleOf(color: string | undefined): string {
  const accent = (scheme: Scheme) => {
    const properties = Object.entries(palette(color ?? null, scheme)).map(([name, value]) => `${name}: ${value};`);
    return `:root { ${properties.join(' ')} }`;
  };
  return `${STYLE}${accent('light')}\n@media (prefers-color-scheme: dark) { ${accent('dark')} }\n`;
}
