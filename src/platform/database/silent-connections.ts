import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ClientBase } from 'pg';
import { endAfter } from '../concurrency/cancellation';

/** Times in milliseconds. */
export interface SilenceLimits {
  /** A statement whose connection has brought nothing for this long may wait in vain. */
  readonly silentMs: number;
  /** A server that can be reached accepts a connection within this time. */
  readonly probeMs: number;
  readonly checkMs: number;
}

const LIMITS: SilenceLimits = { silentMs: 5_000, probeMs: 5_000, checkMs: 1_000 };

/** The parts of the driver's client that its types do not declare. */
interface DriverClient extends ClientBase {
  /** False while a statement is being executed. */
  readonly readyForQuery?: boolean;
  readonly connection: { readonly stream: Socket };
}

/** What a connection has brought, and when it last brought more or waited for nothing. */
interface Progress {
  bytes: number;
  at: number;
}

/**
 * Ends connections to a database that has become unreachable without a word, as behind a cut line or when its machine is gone: the
 * kernel would repeat for a quarter of an hour what was sent, and requests and work would wait as long instead of failing as
 * temporarily unavailable. Node cannot limit that (`TCP_USER_TIMEOUT`), and no keep-alive is sent while something is unacknowledged.
 * A statement that takes long goes on: connections are ended only when the server does not accept another one.
 */
export class SilentConnections {
  private readonly progress = new Map<DriverClient, Progress>();
  private timer: NodeJS.Timeout | undefined;
  private probing = false;

  constructor(private readonly limits = LIMITS) {}

  /** Watches a connection until its end. */
  watch(client: ClientBase): void {
    this.progress.set(client as DriverClient, { bytes: 0, at: performance.now() });
    this.timer ??= setInterval(() => void this.check(), this.limits.checkMs).unref();
    client.once('end', () => {
      this.progress.delete(client as DriverClient);
      if (this.progress.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    });
  }

  private async check(): Promise<void> {
    const silent = this.findSilent();
    if (silent.length === 0 || this.probing) return;
    this.probing = true;
    const isReachable = await acceptsConnections(silent[0]!.connection.stream, this.limits.probeMs);
    this.probing = false;
    const stillSilent = new Set(this.findSilent());
    for (const client of silent.filter((one) => stillSilent.has(one))) {
      if (isReachable) this.progress.get(client)!.at = performance.now();
      else client.connection.stream.destroy(noAnswer());
    }
  }

  private findSilent(): DriverClient[] {
    const now = performance.now();
    const silent: DriverClient[] = [];
    for (const [client, seen] of this.progress) {
      const { bytesRead } = client.connection.stream;
      if (client.readyForQuery || bytesRead !== seen.bytes) Object.assign(seen, { bytes: bytesRead, at: now });
      else if (now - seen.at >= this.limits.silentMs) silent.push(client);
    }
    return silent;
  }
}

/** Those of all pools of this process. */
export const silentConnections = new SilentConnections();

async function acceptsConnections(
  { remoteAddress: host, remotePort: port }: Socket,
  withinMs: number,
): Promise<boolean> {
  if (host === undefined || port === undefined) return true; // it has just been closed, or is a Unix socket
  const probe = connect({ host, port });
  const limit = new AbortController();
  const timer = endAfter(withinMs, () => limit.abort()); // not when only this process has been paused
  try {
    await once(probe, 'connect', { signal: limit.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    probe.on('error', () => undefined).destroy();
  }
}

const noAnswer = (): Error =>
  Object.assign(new Error('The database does not answer and cannot be reached.'), { code: 'ETIMEDOUT' });
