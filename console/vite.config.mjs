import { fileURLToPath, URL } from 'node:url';
import { defineConfig } from 'vite';
import { build, plugins, proxy } from '../ui/vite-options.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at('.'),
  base: '/console/',
  cacheDir: at('../node_modules/.cache/vite-console'),
  resolve: { alias: { '@docfetch/sdk': at('../sdk/typescript/dist/index.js') } },
  plugins: plugins(),
  build: { ...build, outDir: at('../dist/console') },
  server: { port: 3002, proxy },
});
