/** Writes `policy.json`: the hashes of the inline scripts of all pages, for the content security policy of the service. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesIn } from './site-files.mjs';

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** @throws Error for a page with a style attribute, which the policy forbids. */
export function writePolicy(folder) {
  const scripts = new Set();
  for (const { file, address } of pagesIn(folder)) {
    const html = readFileSync(file, 'utf8');
    const style = /<[^>]* style="[^"]*"/.exec(html);
    if (style) throw new Error(`${address} has an inline style: ${style[0].slice(0, 200)}`);
    for (const [, attributes, text] of html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      if (!/ src=/.test(attributes)) scripts.add(hash(text));
    }
  }
  writeFileSync(join(folder, 'policy.json'), JSON.stringify({ scripts: [...scripts] }));
}
