import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { Settings } from '../config';
import type { Metrics } from '../metrics/metrics';

/** What the framework tells about every module and route at each start, and nobody reads. */
const FRAMEWORK_NOISE = ['InstanceLoader', 'RoutesResolver', 'RouterExplorer'];

/**
 * Structured logs without secrets: of a request only method, path and id are written; never headers, bodies or query
 * strings, which may hold keys, passwords and tokens.
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
      },
      customLogLevel: (_request: IncomingMessage, response: ServerResponse, error?: Error) =>
        error || response.statusCode >= 500 ? 'error' : 'info',
      autoLogging: { ignore: (request: IncomingMessage) => request.url?.startsWith('/health/') ?? false },
      redact: {
        paths: ['*.password', '*.secret', '*.token', '*.authorization', '*.parameters', 'err.query', 'err.config'],
        censor: '***',
      },
    },
  };
}
