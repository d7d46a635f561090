import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Span } from '../request/span';
import { errorType, type Tracing } from '../tracing/tracing';
import type { CertificateVerifier, Destination, Network } from './network';

type Headers = Dispatcher.DispatchOptions['headers'];

/**
 * A network whose HTTP requests are spans, from their start to the end of the response, and whose other connections are, until they
 * are open. The server receives the `traceparent`. It is added after a request has been signed, so it is no signed header: no
 * signature that connectors use forbids further headers.
 */
export class TracedNetwork implements Network {
  readonly dispatcher: Dispatcher;

  constructor(
    private readonly network: Network,
    private readonly tracing: Tracing,
  ) {
    this.dispatcher = network.dispatcher.compose(this.trace);
  }

  dispatcherVerifying(verify: CertificateVerifier): Dispatcher {
    return this.network.dispatcherVerifying(verify).compose(this.trace);
  }

  resolve(host: string): Promise<Destination> {
    return this.network.resolve(host);
  }

  connect(host: string, port: number, signal?: AbortSignal, createSocket?: () => Socket): Promise<Socket> {
    const attributes = { 'server.address': host, 'server.port': port };
    const open = () => this.network.connect(host, port, signal, createSocket);
    return this.tracing.run('connect', () => ({ kind: 'CLIENT', attributes }), open);
  }

  private readonly trace: Dispatcher.DispatchInterceptor = (dispatch) => (options, handler) => {
    const { method, origin } = options;
    // Neither the path nor the query, which may contain names and secrets.
    const attributes = { 'http.request.method': method, 'server.address': new URL(String(origin)).hostname };
    const span = this.tracing.begin(method, { kind: 'CLIENT', attributes });
    if (!span) return dispatch(options, handler);
    const headers = withHeader(options.headers, 'traceparent', span.traceparent);
    return dispatch({ ...options, headers }, traced(handler, span));
  };
}

function traced(handler: Dispatcher.DispatchHandler, span: Span): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart(controller, status, headers, message) {
      if (status >= 200) span.set({ 'http.response.status_code': status });
      if (status >= 400) span.fail(String(status));
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd(controller, trailers) {
      span.end();
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError(controller, error) {
      span.fail(errorType(error));
      span.end();
      handler.onResponseError?.(controller, error);
    },
  };
}

/** Headers in any of the forms that undici accepts, with another one. */
function withHeader(headers: Headers, name: string, value: string): Headers {
  if (Array.isArray(headers)) return [...headers, name, value];
  if (headers && Symbol.iterator in headers) return [...(headers as Iterable<[string, string]>), [name, value]].flat();
  return { ...headers, [name]: value };
}
