// Builds the console: dist/console from console/, the shared parts of ui/, and the SDK. tools/build/ runs it when one of these has changed.
import { fileURLToPath, URL } from 'node:url';
import { buildPages } from '../ui/build-pages.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

await buildPages(at('vite.config.mjs'), at('../dist/console'));
