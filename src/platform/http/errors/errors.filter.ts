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
import { isEnvironmentFenced } from '../../errors/environment-fence';
import { ApiError, type InvalidField, type Params, tooMany } from '../../errors/errors';
import { titleKeyOf } from '../../errors/error-codes';
import { renderMessage } from '../../errors/translate';
import { CHALLENGES } from '../headers/response-headers';
import { appendQuotaHeaders } from '../../rate-limit/rate-limit-headers';
import { type Lang, languageOf } from '../../i18n/lang';
import { LimitExceeded } from '../../rate-limit/limit-exceeded';
import { requestId } from '../logging/request-id';

/** A restarted database or a bucket with a short outage is usually available again after this time. */
const RETRY_WHEN_UNAVAILABLE_SECONDS = 5;

/** The only place that creates error bodies (decisions 2): localized, with the request id, without internal details. */
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
    if (request.method === 'OPTIONS' && thrown instanceof NotFoundException && setAllowHeader(request, response)) {
      response.status(204).end();
      return;
    }
    const error = this.toApiError(thrown, request, response);
    if (error.kind === 'internal' && !isEnvironmentFenced(thrown)) this.logger.error(thrown);
    if (response.headersSent) {
      // A partial response cannot become an error body; closing the connection marks it as incomplete.
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
    // A route may have set another content type already.
    response
      .status(error.getStatus())
      .type('json')
      .json(this.body(error, lang, requestId(response)));
  }

  private body(error: ApiError, lang: Lang, request_id: string) {
    return {
      type: `${this.settings.publicUrl}/docs/errors#${error.code}`,
      title: this.translate(`errors.title.${titleKeyOf(error.getStatus())}`, lang),
      status: error.getStatus(),
      code: error.code,
      detail: this.translate(`errors.detail.${error.code}`, lang, error.details.params),
      request_id,
      ...(error.kind === 'validation' && {
        errors: (error.details.errors ?? []).map((invalidField) => ({
          field: invalidField.field,
          code: invalidField.code,
          message: this.message(invalidField, lang),
          ...(invalidField.fingerprint !== undefined && { fingerprint: invalidField.fingerprint }),
        })),
      }),
    };
  }

  private message({ field, code, params, sentence = code }: InvalidField, lang: Lang): string {
    const label = params?.label ?? this.labelOf(field, lang);
    return this.translate(`validation.${sentence}`, lang, { ...params, label });
  }

  /** The label of a field; its name if it has none. */
  private labelOf(field: string, lang: Lang): string {
    const name = field.replace(/^fields\./, '');
    // A name from the caller must not resolve to a property of Object or to another message.
    if (!/^[a-z][a-z0-9_]*$/.test(name) || name in Object.prototype) return name;
    const key = `validation.labels.${name}`;
    const label = this.translate(key, lang);
    return label === key ? name : label;
  }

  private translate(key: string, lang: Lang, params: Params = {}): string {
    return renderMessage(this.i18n, key, params, lang);
  }

  private toApiError(thrown: unknown, request: Request, response: Response): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof LimitExceeded) return tooMany(thrown.code, thrown.quota.resetSeconds);
    if (thrown instanceof HttpException && thrown.getStatus() < 500) {
      const status = isDecodable(request.path) ? thrown.getStatus() : 404;
      if (status !== 404) return new ApiError('BAD_REQUEST', {}, status);
      const isOtherMethod = isDecodable(request.path) && setAllowHeader(request, response);
      return new ApiError(isOtherMethod ? 'METHOD_NOT_ALLOWED' : 'ROUTE_NOT_FOUND');
    }
    // spec 7 does not define 503
    if (!isUnavailable(thrown)) return new ApiError('INTERNAL_ERROR');
    return new ApiError('TEMPORARILY_UNAVAILABLE', { retryAfterSeconds: RETRY_WHEN_UNAVAILABLE_SECONDS });
  }
}

/** Sets `Allow` to the methods of the path (RFC 9110 10.2.1). Returns whether there are any. */
function setAllowHeader(request: Request, response: Response): boolean {
  const methods = allowedMethods(request);
  if (methods.length > 0) response.setHeader('Allow', methods.join(', '));
  return methods.length > 0;
}
