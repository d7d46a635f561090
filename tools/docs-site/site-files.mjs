import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The pages of the built site with their addresses; `/404` is the page for all other addresses. */
export function pagesIn(folder) {
  return filesBelow(folder)
    .filter((file) => file.endsWith('.html'))
    .map((file) => ({ file, address: `/${relative(folder, file).replace(/(index)?\.html$/, '')}` }));
}
