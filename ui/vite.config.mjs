import { fileURLToPath, URL } from 'node:url';
import { defineConfig } from 'vite';
import { compileHints } from './compile-hints.mjs';
import { build, plugins, proxy } from './vite-options.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Modules that are always used together are bundled in one file with their dependencies; Vite splits the rest by usage. No first view
 * needs React Aria.
 */
const FILES = [
  { name: 'start', test: /ui\/src\/start\//, priority: 3 },
  { name: 'app', test: /ui\/src\/(main|views\/overview\/overview)\.tsx$/, priority: 2 },
  { name: 'forms', test: /ui\/src\/views\/(edit-credentials|connect|content-selection)\.tsx$/, priority: 1 },
  {
    name: 'react-aria',
    test: /node_modules\/(react-aria|react-aria-components|react-stately|@internationalized)\//,
    minShareCount: 3,
  },
];

/** Files that consist mostly of what first views call. */
const CALLED_AT_ONCE = ['start', 'app', 'forms'];

/** Loaded by the page itself, or tiny: their names in the lists of what is preloaded would cost more than they save. */
const NOT_PRELOADED =
  /\/(app|start|rolldown-runtime|use-poll|typed-address|use-authorization-redirect|document-list|use-(mailbox|popup|document)-messages|password-list-input)-[^/]*\.js$/;

export default defineConfig({
  root: at('.'),
  base: '/ui/',
  cacheDir: at('../node_modules/.cache/vite'),
  resolve: { alias: { '@docfetch/sdk': at('../sdk/typescript/dist/index.js') } },
  plugins: [...plugins(), compileHints(CALLED_AT_ONCE)],
  build: {
    ...build,
    outDir: at('../dist/ui'),
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => !NOT_PRELOADED.test(file)),
    },
    rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
  },
  // Open this server with the query of a ui_url.
  server: { port: 3001, proxy },
});
