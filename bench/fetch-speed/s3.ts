import { join } from 'node:path';
import { Child } from '../harness/child';
import { Rclone } from './rclone';
import type { Filling } from './s3-server.process';
import type { Source } from './source';

/** The test suite's S3 server, against rclone. No real server: what both do is measured, not how fast a real one answers. */
export async function openS3(): Promise<Source> {
  const rclone = new Rclone();
  const server = Child.start(join(__dirname, 's3-server.process.js'), {});
  const { port, fields } = await server.heard<{ port: number; fields: Record<string, string> }>();
  return {
    integration: 's3',
    note: 'The test suite’s S3 server, as a process of its own, and no real one: what both clients do is measured, not how fast a real server answers. rclone with 4 transfers does not ask for times of its own (`--use-server-modtime`), which would be another request for each file.',
    port,
    rivals: [
      {
        name: 'rclone copy',
        goal: { near: 1, far: 1 },
        knowsWhatItHas: true,
        fetch: (at, folder) =>
          rclone.copy(
            `:s3:${fields['bucket']}`,
            [
              '--s3-provider=Other',
              `--s3-endpoint=http://127.0.0.1:${at}`,
              `--s3-region=${fields['region']}`,
              `--s3-access-key-id=${fields['access_key']}`,
              `--s3-secret-access-key=${fields['secret_key']}`,
              '--s3-list-version=2',
              // One request for each file instead of two.
              '--use-server-modtime',
            ],
            folder,
          ),
      },
    ],
    fields: (at) => ({ ...fields, endpoint: `http://127.0.0.1:${at}` }),
    async fill(documents, bytes) {
      await server.ask({ documents, bytes } satisfies Filling);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
