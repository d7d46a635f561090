import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { CertificateVerifier, Destination, Network } from '../../../platform/network/network';

/** A request and its answer as they were on the network, with all secrets. Kept in memory only. */
export interface RawExchange {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A network that remembers every HTTP exchange, in the order of the requests. A request without an answer is left out. */
export class RecordingNetwork implements Network {
  readonly dispatcher: Dispatcher;
  private readonly pending: { exchange: Omit<RawExchange, 'body'> | null; parts: Buffer[] }[] = [];

  constructor(private readonly network: Network) {
    this.dispatcher = network.dispatcher.compose(this.record);
  }

  get exchanges(): readonly RawExchange[] {
    return this.pending.flatMap(({ exchange, parts }) =>
      exchange ? [{ ...exchange, body: Buffer.concat(parts) }] : [],
    );
  }

  dispatcherVerifying(verify: CertificateVerifier): Dispatcher {
    return this.network.dispatcherVerifying(verify).compose(this.record);
  }

  resolve(host: string): Promise<Destination> {
    return this.network.resolve(host);
  }

  connect(host: string, port: number, signal?: AbortSignal, createSocket?: () => Socket): Promise<Socket> {
    return this.network.connect(host, port, signal, createSocket);
  }

  private readonly record: Dispatcher.DispatchInterceptor = (dispatch) => (options, handler) => {
    const entry: (typeof this.pending)[number] = { exchange: null, parts: [] };
    this.pending.push(entry);
    const [origin, path] = [String(options.origin), options.path];
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart(controller, status, headers, message) {
        if (status >= 200) entry.exchange = { origin, path, status, headers };
        handler.onResponseStart?.(controller, status, headers, message);
      },
      onResponseData(controller, chunk) {
        // A copy, because the connection may use the memory again.
        entry.parts.push(Buffer.from(chunk));
        handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    });
  };
}
