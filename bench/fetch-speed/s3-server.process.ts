import { FakeS3Server } from '../../test/fakes/s3/fake-s3-server';
import { contentOf } from './source';

/** The content of the bucket. */
export interface Filling {
  readonly documents: number;
  readonly bytes: number;
}

// The test suite's S3 server as a separate process: sends its step-1 input, and then a message when it is filled.

async function serve(): Promise<void> {
  const server = await FakeS3Server.start();
  process.on('message', ({ documents, bytes }: Filling) => {
    for (let number = 0; number < documents; number++) server.put(`invoice-${number}.pdf`, contentOf(number, bytes));
    process.send!({ filled: documents });
  });
  process.send!({ port: server.port, fields: server.fields });
}

void serve();
