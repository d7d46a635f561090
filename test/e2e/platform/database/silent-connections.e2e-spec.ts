import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Pool } from 'pg';
import { isDatabaseUnavailable } from '../../../../src/platform/availability/database-unavailable';
import { SilentConnections } from '../../../../src/platform/database/silent-connections';
import { testDatabaseUrl } from '../../../setup/database';

const LIMITS = { silentMs: 200, probeMs: 200, checkMs: 20 };

describe('Connections to the database', () => {
  let line: Line;
  let pool: Pool;

  beforeEach(async () => {
    line = await Line.to(new URL(await testDatabaseUrl()));
    const silentConnections = new SilentConnections(LIMITS);
    pool = new Pool({ connectionString: line.url, max: 2 });
    pool.on('error', () => undefined);
    pool.on('connect', (client) => silentConnections.watch(client));
  });
  afterEach(async () => {
    await line.close();
    await pool.end();
  });

  it('end when the line is cut without a word while a statement waits', async () => {
    await pool.query('select 1');
    line.drop();
    const error = await pool.query('select 1').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ETIMEDOUT' });
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('are kept during a statement that takes long', async () => {
    const { rows } = await pool.query(`select 7 as n from pg_sleep(${(LIMITS.silentMs * 5) / 1000})`);
    expect(rows).toEqual([{ n: 7 }]);
  });

  it('are kept while no statement waits', async () => {
    await pool.query('select 1');
    line.drop();
    await new Promise((resolve) => setTimeout(resolve, LIMITS.silentMs * 3));
    line.restore();
    expect((await pool.query('select 7 as n')).rows).toEqual([{ n: 7 }]);
    expect(line.connections).toBe(1);
  });
});

/** A line to a server. While packets are dropped, no new connection is accepted, and nothing passes through the open ones. */
class Line {
  connections = 0;
  private readonly pairs: (readonly [Socket, Socket])[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly port: number,
  ) {}

  static async to(target: URL): Promise<Line> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const line = new Line(server, target, (server.address() as AddressInfo).port);
    server.on('connection', (client) => line.forward(client));
    return line;
  }

  get url(): string {
    const url = new URL(this.target);
    url.port = String(this.port);
    return url.href;
  }

  drop(): void {
    this.server.close();
    for (const [client, server] of this.pairs) client.unpipe(server);
  }

  restore(): void {
    for (const [client, server] of this.pairs) client.pipe(server);
  }

  async close(): Promise<void> {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private forward(client: Socket): void {
    this.connections += 1;
    const server = connect({ host: this.target.hostname, port: Number(this.target.port) });
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.pipe(server).pipe(client);
    this.pairs.push([client, server]);
  }
}
