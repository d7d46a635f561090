/** Builds the documentation site: dist/site. tools/build/ runs it when one of its inputs has changed. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'vitepress';
import { inRoot } from '../build/files.mjs';
import { FILE_NAME, postmanCollection } from '../postman/collection.mjs';
import { checkLinks } from './check-links.mjs';
import { compressFiles } from './compress.mjs';
import { writeLlmsTexts } from './llms-texts.mjs';
import { writePolicy } from './policy.mjs';
import { STAGE, stage } from './stage.mjs';

process.env.NODE_ENV = 'production';
const out = inRoot('dist/site');
rmSync(out, { recursive: true, force: true });
const sections = stage();
await quietly(() => build(STAGE));
writeLlmsTexts(out, sections);
const openapi = JSON.parse(readFileSync(inRoot('openapi.json'), 'utf8'));
writeFileSync(join(out, 'guides', FILE_NAME), JSON.stringify(await postmanCollection(openapi)));
checkLinks(out);
compressFiles(out);
writePolicy(out);

/** What VitePress prints is shown only when it fails. */
async function quietly(work) {
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  let printed = '';
  for (const stream of streams) stream.write = (text) => ((printed += text), true);
  const restore = () => streams.forEach((stream, i) => (stream.write = writes[i]));
  try {
    await work();
  } catch (error) {
    restore();
    process.stderr.write(printed);
    throw error;
  } finally {
    restore();
  }
}
