import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { I18nService } from 'nestjs-i18n';
import { Settings } from '../../config/settings';
import { isUnavailable } from '../../availability/storage-unavailable';
import { allowedMethods, isDecodable } from '../connection/allowed-methods';
import {
  ApiError,
  type ErrorKind,
  type InvalidField,
  notAllowed,
  notFound,
  type Params,
  tooMany,
  unavailable,
} from '../../errors/errors';
import { CHALLENGES, languageOf } from '../headers/response-headers';
import { appendQuotaHeaders } from '../../rate-limit/rate-limit-headers';
import { formatValue, type Lang, localize } from '../../i18n/lang';
import { LimitExceeded } from '../../rate-limit/limit-exceeded';
import { assignRequestId, requestId } from '../logging/request-id';

const KIND_OF_STATUS: Readonly<Record<number, ErrorKind>> = { 401: 'unauthorized', 403: 'forbidden', 404: 'not_found' };

/** A restarted database or a bucket behind a short outage is usually back by then. */
const RETRY_WHEN_AWAY_SECONDS = 5;

/** The only place that makes an error body (decisions 2): localised, with the request's id, never with an inner detail. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorsFilter.name);

  constructor(
    private readonly i18n: I18nService,
    private readonly settings: Settings,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (!requestId(response)) assignRequestId(request, response, () => undefined); // no middleware sees a path that cannot be decoded
    if (request.method === 'OPTIONS' && thrown instanceof NotFoundException && setAllowHeader(request, response)) {
      response.status(204).end();
      return;
    }
    const error = this.toApiError(thrown, request, response);
    if (error.kind === 'internal') this.logger.error(thrown);
    if (response.headersSent) {
      // Half an answer cannot become an error body; a cut connection at least is not taken for a whole one.
      response.destroy();
      return;
    }
    const { retryAfterSeconds } = error.details;
    if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', Math.max(1, Math.ceil(retryAfterSeconds)));
    if (thrown instanceof LimitExceeded) appendQuotaHeaders(response, thrown.quota);
    if (error.kind === 'unauthorized' && !response.hasHeader('WWW-Authenticate')) {
      response.setHeader('WWW-Authenticate', CHALLENGES);
    }
    const lang = languageOf(request);
    response.setHeader('Content-Language', lang);
    // A route that answers something else than JSON may have said so already.
    response
      .status(error.getStatus())
      .type('json')
      .json(this.body(error, lang, requestId(response)));
  }

  private body(error: ApiError, lang: Lang, request_id: string) {
    return {
      type: `${this.settings.publicUrl}/docs/errors#${error.code}`,
      title: this.say(`errors.title.${titleOf(error)}`, lang),
      status: error.getStatus(),
      code: error.code,
      detail: this.say(`errors.detail.${error.code}`, lang, error.details.params),
      request_id,
      ...(error.kind === 'validation' && {
        errors: (error.details.errors ?? []).map((fault) => ({
          field: fault.field,
          code: fault.code,
          message: this.message(fault, lang),
          ...(fault.fingerprint !== undefined && { fingerprint: fault.fingerprint }),
        })),
      }),
    };
  }

  private message({ field, code, params, sentence = code }: InvalidField, lang: Lang): string {
    const label = params?.label ?? this.labelOf(field, lang);
    return this.say(`validation.${sentence}`, lang, { ...params, label });
  }

  /** A field without a label of its own is called by its name. */
  private labelOf(field: string, lang: Lang): string {
    const name = field.replace(/^fields\./, '');
    // What a caller made up must not find its way into what every object has, or into another sentence.
    if (!/^[a-z][a-z0-9_]*$/.test(name) || name in Object.prototype) return name;
    const key = `validation.labels.${name}`;
    const label = this.say(key, lang);
    return label === key ? name : label;
  }

  private say(key: string, lang: Lang, params: Params = {}): string {
    const args = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, filling(name, value, lang)]));
    return this.i18n.translate(key, { lang, args });
  }

  private toApiError(thrown: unknown, request: Request, response: Response): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof LimitExceeded) return tooMany(thrown.code, thrown.quota.resetSeconds);
    if (thrown instanceof HttpException && thrown.getStatus() < 500) {
      if (!isDecodable(request.path)) return notFound('ROUTE_NOT_FOUND');
      const status = thrown.getStatus();
      if (status === 404 && setAllowHeader(request, response)) return notAllowed('METHOD_NOT_ALLOWED');
      const kind = KIND_OF_STATUS[status] ?? 'validation';
      return new ApiError(kind, status, status === 404 ? 'ROUTE_NOT_FOUND' : 'BAD_REQUEST');
    }
    // spec 7 knows no 503
    if (isUnavailable(thrown)) return unavailable('TEMPORARILY_UNAVAILABLE', RETRY_WHEN_AWAY_SECONDS);
    return new ApiError('internal', 500, 'INTERNAL_ERROR');
  }
}

/** Names the methods of the path in `Allow` (RFC 9110 10.2.1). Answers whether it has any. */
function setAllowHeader(request: Request, response: Response): boolean {
  const methods = allowedMethods(request);
  if (methods.length > 0) response.setHeader('Allow', methods.join(', '));
  return methods.length > 0;
}

/** What goes into a gap. `count` stays a number for the rules of the plural, and still reads as one. */
function filling(name: string, value: Params[string], lang: Lang): unknown {
  if (typeof value === 'number') {
    const text = formatValue(value, lang);
    return name === 'count' ? { valueOf: () => value, toString: () => text } : text;
  }
  const text = localize(value, lang);
  return inert(name === 'limit' ? formatValue(text, lang) : text);
}

/** A name that a caller made up is not translated: nestjs-i18n looks for `$t(…)` in what it has filled in. */
const inert = (text: string) => text.replaceAll('$t(', '$t (');

/** Within the validation kind the status tells more. */
function titleOf(error: ApiError): string {
  if (error.kind !== 'validation') return error.kind;
  return [405, 409, 413, 416, 422, 429].includes(error.getStatus()) ? String(error.getStatus()) : 'other';
}
