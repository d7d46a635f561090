import optimizeLocales from '@react-aria/optimize-locales-plugin';
import { fileURLToPath, URL } from 'node:url';
import process from 'node:process';
import { defineConfig } from 'vite';
import { noDefaultLocale } from '../ui/no-default-locale.mjs';
import { onlyGregorian } from '../ui/only-gregorian.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The service that `npm run start:dev` starts. */
const SERVICE = `http://localhost:${process.env.PORT ?? 3000}`;

/** Like the hosted UI: files for a strict Content-Security-Policy, nothing inline, nothing from other origins. */
export default defineConfig({
  root: at('.'),
  base: '/console/',
  cacheDir: at('../node_modules/.cache/vite-console'),
  resolve: { alias: { '@docfetch/sdk': at('../sdk/typescript/dist/index.js') } },
  plugins: [
    { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), enforce: 'pre' },
    onlyGregorian(),
    noDefaultLocale(),
  ],
  build: {
    outDir: at('../dist/console'),
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    reportCompressedSize: false,
  },
  server: { port: 3002, proxy: { '/v1': SERVICE, '/logos': SERVICE } },
});
