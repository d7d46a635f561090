import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { CertificateVerifier, Destination, Network } from './network';

/**
 * A way out on which every request of HTTP and every new connection first awaits its turn. What is sent on a connection
 * once it stands passes unseen.
 */
export class RateLimitedNetwork implements Network {
  readonly dispatcher: Dispatcher;

  /** `turn` resolves when a request to the host may start, or rejects with what becomes the request's error. */
  constructor(
    private readonly network: Network,
    private readonly turn: (host: string, signal?: AbortSignal) => Promise<void>,
  ) {
    this.dispatcher = this.inTurn(network.dispatcher);
  }

  dispatcherVerifying(verify: CertificateVerifier): Dispatcher {
    return this.inTurn(this.network.dispatcherVerifying(verify));
  }

  async resolve(host: string): Promise<Destination> {
    await this.turn(host);
    return this.network.resolve(host);
  }

  async connect(host: string, port: number, signal?: AbortSignal, make?: () => Socket): Promise<Socket> {
    await this.turn(host, signal);
    return this.network.connect(host, port, signal, make);
  }

  private inTurn(dispatcher: Dispatcher): Dispatcher {
    return dispatcher.compose((dispatch) => (options, handler) => {
      const { hostname } = new URL(String(options.origin));
      this.turn(hostname).then(
        () => dispatch(options, handler),
        (error: Error) => handler.onResponseError?.(null as never, error),
      );
      return true;
    });
  }
}
