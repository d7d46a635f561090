import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import { stdSerializers } from 'pino';
import type { Options } from 'pino-http';
import type { Settings } from '../../config/settings';
import type { Metrics } from '../../metrics/metrics';
import { RequestScope } from '../../request/request-scope';
import { currentLogFields } from '../../request/work-scope';
import { requestId } from './request-id';

/** Contexts of the framework's log lines about every module and route, which are dropped. */
const FRAMEWORK_NOISE = ['InstanceLoader', 'RoutesResolver', 'RouterExplorer'];

/** Properties of an error that are logged besides its type, message and stack. */
const ERROR_PROPERTIES = [
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
 * Structured logs without secrets. For a request only method, path and id are logged; never headers, bodies or query strings,
 * which may contain keys, passwords and tokens. Properties that libraries attach to errors (connections, responses, rows) are
 * not logged.
 */
export function loggerOptions(settings: Settings, metrics?: Metrics): Params & { readonly pinoHttp: Options } {
  return {
    forRoutes: [], // `logRequests` logs the requests
    pinoHttp: {
      level: settings.logLevel,
      hooks: {
        logMethod(entry, write, level) {
          const { context } = (entry[0] ?? {}) as { context?: string };
          metrics?.logged(level, context);
          if (context === undefined || !FRAMEWORK_NOISE.includes(context)) write.apply(this, entry);
        },
      },
      mixin: scopeFields,
      wrapSerializers: false,
      serializers: {
        req: (request: IncomingMessage & { originalUrl?: string }) => ({
          method: request.method,
          path: (request.originalUrl ?? request.url!).split('?')[0],
        }),
        res: (response: ServerResponse) => ({ status: response.statusCode }),
        err: (error: Error) => errorView(stdSerializers.err(error)),
      },
      redact: {
        paths: ['*.password', '*.secret', '*.token', '*.authorization', '*.parameters'],
        censor: '***',
      },
    },
  };
}

/** The fields of every line that is logged while a request is answered, or during other work (`withLogFields`). */
function scopeFields(): object {
  const scope = RequestScope.get();
  const request = scope && { req: scope.request, request_id: requestId(scope.response) };
  return { ...request, ...currentLogFields() };
}

/** An error as serialized by pino, with all its properties. */
type SerializedError = Readonly<Record<string, unknown>> & { readonly aggregateErrors?: readonly SerializedError[] };

function errorView(error: SerializedError): Record<string, unknown> {
  const { type, message, stack, aggregateErrors } = error;
  const plain = ERROR_PROPERTIES.filter((name) => ['string', 'number'].includes(typeof error[name]));
  return {
    type,
    message,
    stack,
    ...Object.fromEntries(plain.map((name) => [name, error[name]])),
    ...(aggregateErrors && { errors: aggregateErrors.map(errorView) }),
  };
}
