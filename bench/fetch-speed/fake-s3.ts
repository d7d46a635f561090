import { join } from 'node:path';
import { Child } from '../harness/processes/child';
import type { Filling } from './s3-server.process';
import type { BenchSource } from './source';

/** The test suite's S3 server, for memory, which does not depend on the server's speed: it is filled with 10,000 objects in seconds. */
export async function openFakeS3(): Promise<BenchSource> {
  const server = Child.start(join(__dirname, 's3-server.process.js'), {});
  const { port, fields } = await server.nextMessage<{ port: number; fields: Record<string, string> }>();
  return {
    integration: 's3',
    note: 'The test suite’s S3 server.',
    port,
    comparedTools: [],
    fields: (at) => ({ ...fields, endpoint: `http://127.0.0.1:${at}` }),
    async fill(documents, bytes) {
      await server.ask({ documents, bytes } satisfies Filling);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
