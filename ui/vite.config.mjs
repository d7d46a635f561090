import optimizeLocales from '@react-aria/optimize-locales-plugin';
import { fileURLToPath, URL } from 'node:url';
import process from 'node:process';
import { defineConfig } from 'vite';
import { noDefaultLocale } from './no-default-locale.mjs';
import { onlyGregorian } from './only-gregorian.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The service that `npm run start:dev` starts. */
const SERVICE = `http://localhost:${process.env.PORT ?? 3000}`;

/** Modules that are always used together are bundled in one file with their dependencies; Vite splits the rest by usage. */
const FILES = [
  {
    name: 'app',
    test: /ui\/src\/(main|api\/use-query|components\/(logo|live-region|flash-message))\.tsx?$/,
    priority: 2,
  },
  { name: 'forms', test: /ui\/src\/views\/(edit-credentials|connect|content-selection)\.tsx$/, priority: 1 },
  {
    name: 'small-parts',
    test: /react-aria\/dist\/private\/(utils|i18n)\/|@internationalized\/string/,
    minShareCount: 2,
  },
  { name: 'sources', test: /ui\/src\/(api\/next-step|components\/(connection-status|normalize-text))\.tsx?$/ },
  { name: 'inputs', test: /ui\/src\/fields\/inputs\/(date|number)-input\.tsx$/ },
];

/** Loaded by the page itself, or tiny: their names in the lists of what is preloaded would cost more than they save. */
const NOT_PRELOADED =
  /\/(app|rolldown-runtime|use-poll|typed-address|use-authorization-redirect|document-list|use-(mailbox|popup|document)-messages|password-list-input)-[^/]*\.js$/;

/** Builds files for a strict Content-Security-Policy: nothing inline, nothing from other origins. */
export default defineConfig({
  root: at('.'),
  base: '/ui/',
  cacheDir: at('../node_modules/.cache/vite'),
  resolve: { alias: { '@docfetch/sdk': at('../sdk/typescript/dist/index.js') } },
  // Limits the texts of React Aria to the languages of the product.
  plugins: [
    { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), enforce: 'pre' },
    onlyGregorian(),
    noDefaultLocale(),
  ],
  build: {
    outDir: at('../dist/ui'),
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => !NOT_PRELOADED.test(file)),
    },
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
  },
  // Open this server with the query of a ui_url.
  server: { port: 3001, proxy: { '/v1': SERVICE, '/logos': SERVICE } },
});
