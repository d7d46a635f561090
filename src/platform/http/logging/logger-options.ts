import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { Settings } from '../../config/settings';
import type { Metrics } from '../../metrics/metrics';

/** What the framework tells about every module and route at each start, and nobody reads. */
const FRAMEWORK_NOISE = ['InstanceLoader', 'RoutesResolver', 'RouterExplorer'];

/** What is told of an error beside its type, message and stack: which one it was, and where. */
const OF_ERRORS = [
  'code',
  'errno',
  'syscall',
  'hostname',
  'address',
  'port',
  'status',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
];

/**
 * Structured logs without secrets: of a request only method, path and id are written; never headers, bodies or query
 * strings, which may hold keys, passwords and tokens. Of an error nothing that its library has hung on it, which may be a
 * whole connection, an answer or a row.
 */
export function loggerOptions(settings: Settings, metrics?: Metrics): Params {
  return {
    pinoHttp: {
      level: settings.logLevel,
      hooks: {
        logMethod(entry, write, level) {
          const { context } = (entry[0] ?? {}) as { context?: string };
          metrics?.logged(level, context);
          if (context === undefined || !FRAMEWORK_NOISE.includes(context)) write.apply(this, entry);
        },
      },
      genReqId: (_request: IncomingMessage, response: ServerResponse) =>
        String(response.getHeader('x-request-id') ?? ''),
      customProps: (_request: IncomingMessage, response: ServerResponse) => ({
        request_id: response.getHeader('x-request-id'),
      }),
      serializers: {
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          path: request.url.split('?')[0],
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
        err: errorView,
      },
      customLogLevel: (_request: IncomingMessage, response: ServerResponse, error?: Error) =>
        error || response.statusCode >= 500 ? 'error' : 'info',
      autoLogging: { ignore: (request: IncomingMessage) => request.url?.startsWith('/health/') ?? false },
      redact: {
        paths: ['*.password', '*.secret', '*.token', '*.authorization', '*.parameters'],
        censor: '***',
      },
    },
  };
}

/** An error as pino tells it, with all that hangs on it. */
type ToldError = Readonly<Record<string, unknown>> & { readonly aggregateErrors?: readonly ToldError[] };

function errorView(error: ToldError): Record<string, unknown> {
  const { type, message, stack, aggregateErrors } = error;
  const plain = OF_ERRORS.filter((name) => ['string', 'number'].includes(typeof error[name]));
  return {
    type,
    message,
    stack,
    ...Object.fromEntries(plain.map((name) => [name, error[name]])),
    ...(aggregateErrors && { errors: aggregateErrors.map(errorView) }),
  };
}
