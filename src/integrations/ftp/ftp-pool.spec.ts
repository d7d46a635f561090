import { FakeFtpServer } from '../../../test/fakes/ftp/fake-ftp-server';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { ServerTrust } from '../core/server-trust';
import { InvalidCredentials, Transient } from '../core/source-errors';
import { connect } from './connect';
import { FtpPool } from './ftp-pool';

let server: FakeFtpServer;
let pool: FtpPool;
const network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });

/** Called with the number of a login before its response; returns a response to send instead. */
let atLogin: (n: number) => string | undefined;

function poolOf(password: string, { signal } = new AbortController()): FtpPool {
  const login = { host: 'localhost', port: server.port, security: 'NONE', user: 'anna', password };
  return new FtpPool(() => connect(login, network, ServerTrust.NONE, signal), signal);
}

beforeEach(async () => {
  server = await FakeFtpServer.start();
  let logins = 0;
  atLogin = () => undefined;
  server.refuse = (command) => (command.startsWith('PASS') ? atLogin(++logins) : undefined);
  pool = poolOf('right');
});

afterEach(async () => {
  pool.close();
  await server.stop();
});
afterAll(() => network.close());

const logins = () => server.commands.filter((command) => command === 'PASS').length;

describe.each(['530 User anna already logged in.', '421 Too many connections.'])(
  'The connections to an FTP server that rejects further ones with "%s"',
  (reply) => {
    it('are the open one, also when it was released before the other was rejected', async () => {
      const line = await pool.acquire();
      atLogin = () => {
        pool.release(line);
        return reply;
      };
      expect(await pool.acquire()).toBe(line);
      expect(logins()).toBe(2);
    });

    it('are awaited by all callers when several further ones are rejected together', async () => {
      const line = await pool.acquire();
      atLogin = (n) => {
        if (n === 4) pool.release(line);
        return reply;
      };
      const opened = await Promise.all(
        [1, 2, 3, 4, 5].map(async () => {
          const one = await pool.acquire();
          pool.release(one);
          return one;
        }),
      );
      expect(opened.every((one) => one === line)).toBe(true);
      expect(logins()).toBe(4);
    });

    it('are those that the server accepted when it rejects one of several', async () => {
      const first = await pool.acquire();
      atLogin = (n) => (n === 2 ? reply : undefined);
      const others = [pool.acquire(), pool.acquire()];
      const second = await Promise.race(others);
      pool.release(first);
      const opened = await Promise.all(others);
      expect(opened.map((line) => [first, second].indexOf(line)).sort()).toEqual([0, 1]);
      expect(logins()).toBe(3);
    });

    it('are a new one when the open one closes while the other is rejected', async () => {
      const line = await pool.acquire();
      atLogin = (n) => {
        if (n !== 2) return undefined;
        line.client.close();
        pool.release(line);
        return reply;
      };
      const other = await pool.acquire();
      expect(other).not.toBe(line);
      expect(other.client.closed).toBe(false);
    });

    it('are temporarily none when all have closed and the server still counts the last one', async () => {
      const line = await pool.acquire();
      line.client.close();
      pool.release(line);
      atLogin = () => reply;
      await expect(pool.acquire()).rejects.toBeInstanceOf(Transient);
      atLogin = () => undefined;
      expect((await pool.acquire()).client.closed).toBe(false);
    });
  },
);

describe('The connections to an FTP server', () => {
  it('fail for all waiting callers when the first one fails: a wrong password is tried once', async () => {
    pool = poolOf('wrong');
    const results = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => pool.acquire()));
    for (const result of results) expect(result).toMatchObject({ reason: expect.any(InvalidCredentials) });
    expect(logins()).toBe(1);
  });

  it('are at most four, and waiting ends with the session', async () => {
    const lines = await Promise.all([1, 2, 3, 4].map(() => pool.acquire()));
    expect(new Set(lines).size).toBe(4);
    const late = pool.acquire();
    pool.close();
    await expect(late).rejects.toBeInstanceOf(Transient);
    expect(logins()).toBe(4);
  });
});

it('ends work at once when the session ends, also if closing its connection does not end it', async () => {
  const session = new AbortController();
  const ofSession = poolOf('right', session);
  const begun = Promise.withResolvers<void>();
  const work = ofSession.use(() => {
    begun.resolve();
    return new Promise(() => undefined);
  });
  await begun.promise;
  session.abort(new Error('The service stops.'));
  await expect(work).rejects.toThrow('The service stops.');
  await expect(ofSession.acquire()).rejects.toThrow('The service stops.');
});
