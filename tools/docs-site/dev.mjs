/** `npm run docs:dev`: serves the site at port 5173 and reloads pages when their sources change. */
import { watch } from 'node:fs';
import process from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';
import { createServer } from 'vitepress';
import { inRoot } from '../build/files.mjs';
import { SOURCES, STAGE, stage } from './stage.mjs';

stage();
const server = await createServer(STAGE);
await server.listen();
const [address] = server.resolvedUrls.local;
process.stdout.write(`The documentation is at ${address}guides/\n`);

let timer;
for (const source of SOURCES) {
  watch(inRoot(source), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      try {
        stage();
      } catch (error) {
        process.stderr.write(`${error.message}\n`);
      }
    }, 100);
  });
}
