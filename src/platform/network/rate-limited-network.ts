import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { CertificateVerifier, Destination, Network } from './network';

/**
 * A network whose HTTP requests and new connections wait for the rate limiter first. Traffic on an open TCP connection is not
 * limited.
 */
export class RateLimitedNetwork implements Network {
  readonly dispatcher: Dispatcher;

  /** `waitForSlot` resolves when a request to the host may start, or rejects with the error of the request. */
  constructor(
    private readonly network: Network,
    private readonly waitForSlot: (host: string, signal?: AbortSignal) => Promise<void>,
  ) {
    this.dispatcher = this.limited(network.dispatcher);
  }

  dispatcherVerifying(verify: CertificateVerifier): Dispatcher {
    return this.limited(this.network.dispatcherVerifying(verify));
  }

  async resolve(host: string): Promise<Destination> {
    await this.waitForSlot(host);
    return this.network.resolve(host);
  }

  async connect(host: string, port: number, signal?: AbortSignal, createSocket?: () => Socket): Promise<Socket> {
    await this.waitForSlot(host, signal);
    return this.network.connect(host, port, signal, createSocket);
  }

  private limited(dispatcher: Dispatcher): Dispatcher {
    return dispatcher.compose((dispatch) => (options, handler) => {
      const { hostname } = new URL(String(options.origin));
      this.waitForSlot(hostname).then(
        () => dispatch(options, handler),
        (error: Error) => handler.onResponseError?.(null as never, error),
      );
      return true;
    });
  }
}
