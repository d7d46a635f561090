import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { Child } from '../harness/processes/child';
import type { LargeDocument } from '../harness/data/large-document';
import type { Receiver } from '../harness/processes/receiver';
import type { Done, Task } from './baseline.process';
import { type Phase, phaseOf, same } from './phase';

const SCRIPT = join(__dirname, 'baseline.process.js');

/** Creates the baseline's table, with the columns of the service's. */
export async function prepareBaseline(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('create table baseline_chunk (index integer primary key, bytes bytea not null)');
  await client.query('alter table baseline_chunk alter column bytes set storage external');
  await client.end();
}

/** A bare Node process takes the document from a socket into the database. */
export async function baselineFetch(databaseUrl: string, document: LargeDocument): Promise<Phase> {
  const source = createServer({ noDelay: true }, (socket) => {
    void pipeline(Readable.from(document.chunks(), { objectMode: false }), socket).catch(() => undefined);
  }).listen(0, '127.0.0.1');
  await once(source, 'listening');
  const { phase, sha256 } = await measure(databaseUrl, { store: (source.address() as AddressInfo).port });
  source.close();
  same(sha256, document, 'What the baseline has stored');
  return phase;
}

/** A bare Node process sends the document from the database to the receiver. */
export async function baselinePush(databaseUrl: string, document: LargeDocument, receiver: Receiver): Promise<Phase> {
  const arrival = receiver.next();
  const { phase } = await measure(databaseUrl, { send: receiver.url });
  same(await arrival, document, 'What the baseline has sent');
  return phase;
}

async function measure(databaseUrl: string, task: Task): Promise<{ phase: Phase; sha256?: string }> {
  await using child = Child.start(SCRIPT, { DATABASE_URL: databaseUrl });
  await child.nextMessage();
  let sha256: string | undefined;
  const phase = await phaseOf(child.usage, async () => {
    const done = await child.ask<Done>(task);
    sha256 = done.sha256;
    return done.ms;
  });
  return { phase, sha256 };
}
