import { join } from 'node:path';
import { Child } from './child';

/** A real server, further away: a TCP proxy as a process of its own, which delays both directions and knows no limit of bandwidth. */
export class DelayProxy implements AsyncDisposable {
  private constructor(
    private readonly child: Child,
    /** Where it listens on 127.0.0.1. */
    readonly port: number,
  ) {}

  /** In front of a server on a port of 127.0.0.1; `delayMs` each way. */
  static async start(target: number, delayMs: number): Promise<DelayProxy> {
    const child = Child.start(join(__dirname, 'delay-proxy.process.js'), {}, [String(target), String(delayMs)]);
    const { port } = await child.heard<{ port: number }>();
    return new DelayProxy(child, port);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.child[Symbol.asyncDispose]();
  }
}
