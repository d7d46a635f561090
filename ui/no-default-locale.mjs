const BROWSER_LOCALE = /let locale = typeof window[\s\S]*?catch\s*\{\s*locale = 'en-US';\s*\}/;
const EXPORTED = /export \{([$\w]+) as isRTL\};/;

/** Replaces what is known about the languages of the hosted UI, which always sets the locale of React Aria itself. */
const REPLACEMENTS = {
  // To check the locale of the browser, React Aria makes it load all locales for dates, while the application starts: 15 ms on a
  // laptop, 60 ms on a phone.
  useDefaultLocale: (code) => BROWSER_LOCALE.test(code) && code.replace(BROWSER_LOCALE, "const locale = 'en-US';"),
  // Both languages are written from left to right.
  utils: (code) => EXPORTED.test(code) && 'export const isRTL = () => false;',
};

export function noDefaultLocale() {
  return {
    name: 'no-default-locale',
    enforce: 'pre',
    transform: {
      filter: { id: /react-aria\/dist\/private\/i18n\/(useDefaultLocale|utils)\.mjs$/ },
      handler(code, id) {
        const [, name] = /(\w+)\.mjs$/.exec(id);
        const replaced = REPLACEMENTS[name](code);
        if (!replaced) throw new Error(`${name} of react-aria has changed: see ui/no-default-locale.mjs.`);
        return { code: replaced, map: null };
      },
    },
  };
}
