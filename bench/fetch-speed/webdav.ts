import { join } from 'node:path';
import { Apache } from '../../test/interop/webdav/apache';
import { Child } from '../harness/processes/child';
import { Rclone } from './rclone';
import { contentOf, forEach, type BenchSource } from './source';

const nameOf = (number: number) => `invoice-${number}.pdf`;

/** Apache with mod_dav, against bare requests and rclone. */
export async function openWebdav(): Promise<BenchSource> {
  const rclone = new Rclone();
  const server = await Apache.start();
  const { user, password } = server;
  const bare = Child.start(join(__dirname, 'plain-requests.process.js'), {});
  let names: string[] = [];
  return {
    integration: 'webdav',
    note: 'Apache with mod_dav. Bare requests know all names, read and forget, which takes 0.3 ms of processor time a document. To hash, encrypt and store one takes the program 0.75 ms and the database as much again, so that on loopback three times bare undici is less than what documents made in memory take.',
    port: server.port,
    comparedTools: [
      {
        name: 'bare undici, 4 GETs at once',
        goal: { near: 3, far: 3 },
        knowsWhatItHas: false,
        async fetch(port) {
          const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
          const task = {
            origin: `http://127.0.0.1:${port}`,
            paths: names.map((name) => `/dav/${name}`),
            authorization,
          };
          const cpu = bare.usage.cpu();
          const { ms } = await bare.ask<{ ms: number }>(task);
          return { ms, cpu: bare.usage.cpu() - cpu };
        },
      },
      {
        name: 'rclone copy',
        goal: { near: 1, far: 1 },
        knowsWhatItHas: true,
        async fetch(port, folder) {
          const options = [
            `--webdav-url=http://127.0.0.1:${port}/dav/`,
            '--webdav-vendor=other',
            `--webdav-user=${user}`,
            `--header=Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
          ];
          return rclone.copy(':webdav:', options, folder);
        },
      },
    ],
    fields: (port) => ({ ...server.fields, url: `http://127.0.0.1:${port}/dav/` }),
    async fill(documents, bytes) {
      names = Array.from({ length: documents }, (_, number) => nameOf(number));
      await forEach(documents, (number) => server.put(nameOf(number), contentOf(number, bytes)));
    },
    async [Symbol.asyncDispose]() {
      await bare[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}
