// Builds the hosted UI: dist/ui from ui/ and the SDK. tools/build/ runs it when one of these has changed.
import { fileURLToPath, URL } from 'node:url';
import { buildPages } from './build-pages.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

await buildPages(at('vite.config.mjs'), at('../dist/ui'));
