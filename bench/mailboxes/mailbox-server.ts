import type { Client } from 'pg';
import { Dovecot } from '../../test/interop/imap/dovecot';
import { BenchClient } from '../harness/data/client';
import type { Service } from '../harness/processes/service';
import type { BareMailbox } from './bare-client.process';

const PASSWORD = 'secret';
/** As many providers: new connections to one host are limited. */
const ADDRESSES = Array.from({ length: 8 }, (_, at) => `127.0.0.${at + 1}`);
/** The number of connections that are created concurrently. */
const AT_ONCE = 8;

/** A Dovecot with any number of empty mailboxes in memory. */
export class MailboxServer implements AsyncDisposable {
  private constructor(readonly server: Dovecot) {}

  static async start(): Promise<MailboxServer> {
    const manyUsers = { password: PASSWORD, addresses: ADDRESSES, folder: '/dev/shm' };
    return new MailboxServer(await Dovecot.start({ manyUsers }));
  }

  mailbox(number: number, secure: boolean): BareMailbox {
    const port = secure ? this.server.tlsPort : this.server.port;
    return { host: ADDRESSES[number % ADDRESSES.length]!, port, user: `user${number}`, password: PASSWORD };
  }

  mailboxes(count: number, secure: boolean): BareMailbox[] {
    return Array.from({ length: count }, (_, number) => this.mailbox(number, secure));
  }

  /** Creates connections through the API, as a client would, which logs in to each mailbox. */
  async connect(service: Service, count: number): Promise<void> {
    const customer = await BenchClient.create(service);
    let made = 0;
    const worker = async (): Promise<void> => {
      for (let number = made++; number < count; number = made++) {
        const { host, port, user, password } = this.mailbox(number, true);
        await customer.connectTo('imap', { security: 'TLS', host, port, user, password });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.stop();
  }
}

/** All connections are due once at random times within `seconds` from `from` on. */
export async function spreadDueTimes(database: Client, from: Date, seconds: number): Promise<void> {
  await database.query('truncate "fetch" cascade');
  await database.query('drop table if exists due_mailbox');
  await database.query(
    `create table due_mailbox as select uuid, $1::timestamptz + random() * make_interval(secs => $2) as due from connection`,
    [from, seconds],
  );
  await database.query(
    `update connection c set next_fetch_at = d.due, immediate_fetch_at = null from due_mailbox d where d.uuid = c.uuid`,
  );
}

/** What has been fetched since `spreadDueTimes`. Rejects when a fetch has failed. */
export async function fetched(
  database: Client,
): Promise<{ count: number; running: number; seconds: number; late: number }> {
  const { rows } = await database.query<{ count: number; running: number; bad: number; seconds: number; late: number }>(
    `select count(*) filter (where finished_at is not null)::integer as count,
       count(*) filter (where finished_at is null)::integer as running,
       count(*) filter (where status not in ('SUCCEEDED', 'RUNNING', 'QUEUED'))::integer as bad,
       coalesce(extract(epoch from max(finished_at) - min(started_at)), 0)::float8 as seconds,
       coalesce(percentile_cont(0.99) within group (order by extract(epoch from started_at - due)), 0)::float8 as late
     from "fetch" f left join due_mailbox d on d.uuid = f.connection_uuid`,
  );
  const { bad, ...result } = rows[0]!;
  if (bad > 0) throw new Error(`${bad} fetches have failed.`);
  return result;
}
