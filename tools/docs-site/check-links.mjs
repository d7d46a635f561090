/** Fails for links between pages, and for anchors, that do not exist. VitePress checks links to pages, but not their anchors. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesIn } from './site-files.mjs';

const ADDRESSES_OF_SERVICE = /^\/(docs(\/|$)|openapi\.(json|yaml)$)/;

export function checkLinks(folder) {
  const pages = new Map(
    pagesIn(folder).map(({ address, file }) => {
      const html = readFileSync(file, 'utf8');
      return [address, { html, ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)) }];
    }),
  );
  const dead = [];
  for (const [address, { html, ids }] of pages) {
    for (const [, target] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      if (/^([a-z]+:|\/\/)/.test(target) || ADDRESSES_OF_SERVICE.test(target)) continue;
      const [path, anchor] = target.split('#');
      const page = path === '' ? { ids } : pages.get(path);
      const isFile = !page && existsSync(join(folder, path));
      if ((!page && !isFile) || (anchor && !page.ids.has(decodeURIComponent(anchor))))
        dead.push(`${address}: ${target}`);
    }
  }
  if (dead.length > 0) throw new Error(`Dead links:\n${[...new Set(dead)].join('\n')}`);
}
