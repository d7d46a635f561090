const BROWSER_LOCALE = /let locale = typeof window[\s\S]*?catch\s*\{\s*locale = 'en-US';\s*\}/;

/**
 * Removes the default locale of React Aria, which is that of the browser: the hosted UI always sets the locale itself. To check that
 * of the browser, React Aria makes it load all locales for dates, while the application starts: 15 ms on a laptop, 60 ms on a phone.
 */
export function noDefaultLocale() {
  return {
    name: 'no-default-locale',
    enforce: 'pre',
    transform: {
      filter: { id: /react-aria\/dist\/private\/i18n\/useDefaultLocale\.mjs$/ },
      handler(code) {
        if (!BROWSER_LOCALE.test(code))
          throw new Error('useDefaultLocale of react-aria has changed: see ui/no-default-locale.mjs.');
        return { code: code.replace(BROWSER_LOCALE, "const locale = 'en-US';"), map: null };
      },
    },
  };
}
