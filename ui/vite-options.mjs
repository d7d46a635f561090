import optimizeLocales from '@react-aria/optimize-locales-plugin';
import process from 'node:process';
import { noDefaultLocale } from './no-default-locale.mjs';
import { onlyGregorian } from './only-gregorian.mjs';

/** The service that `npm run start:dev` starts. */
const SERVICE = `http://localhost:${process.env.PORT ?? 3000}`;

export const proxy = { '/v1': SERVICE, '/logos': SERVICE };

/** They limit the texts of React Aria to the languages of the product. */
export const plugins = () => [
  { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), enforce: 'pre' },
  onlyGregorian(),
  noDefaultLocale(),
];

/** Files for a strict Content-Security-Policy: nothing inline, nothing from other origins. */
export const build = {
  emptyOutDir: true,
  manifest: true,
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
  reportCompressedSize: false,
};
