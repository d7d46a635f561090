import type { Scheme } from '../../../../src/identities/environments/colors/palette';

/** Shows a page in a color scheme, whatever the browser prefers. */
export function forceScheme(scheme: Scheme): void {
  document.documentElement.style.colorScheme = scheme;
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSMediaRule) || !rule.conditionText.includes('prefers-color-scheme: dark')) continue;
      rule.media.mediaText = scheme === 'dark' ? 'all' : 'not all';
    }
  }
}
