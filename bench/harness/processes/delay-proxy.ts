import { join } from 'node:path';
import { Child } from './child';

/** A TCP proxy process that delays both directions, without a bandwidth limit. */
export class DelayProxy implements AsyncDisposable {
  private constructor(
    private readonly child: Child,
    /** The port on 127.0.0.1. */
    readonly port: number,
  ) {}

  /** Starts in front of a server on a port of 127.0.0.1; `delayMs` applies in each direction. */
  static async start(target: number, delayMs: number): Promise<DelayProxy> {
    const child = Child.start(join(__dirname, 'delay-proxy.process.js'), {}, [String(target), String(delayMs)]);
    const { port } = await child.nextMessage<{ port: number }>();
    return new DelayProxy(child, port);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.child[Symbol.asyncDispose]();
  }
}
