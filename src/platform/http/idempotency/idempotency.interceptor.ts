import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { validate as isUuid } from 'uuid';
import type { CallerRequest } from '../access/access.decorator';
import { ApiErrors } from '../../errors/api-errors';
import { conflict, invalid } from '../../errors/errors';
import { runIdempotently } from './idempotent-transaction';
import { type StoredResponse, type IdempotencyClaim, IdempotencyKeys } from './idempotency-keys';
import { UnreadableBody } from '../input/json-body';

const HEADER = 'Idempotency-Key';
const WITH_SECRET = 'idempotent-with-secret';
const REPLAYED = 'Idempotent-Replayed';
/** decisions 1: 1–255 visible ASCII. */
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * Replays the stored response for a repeated `Idempotency-Key` without doing the work again (decisions 1). Only successes are
 * stored: an error releases the key, so that the same request is evaluated again. It runs after the guards: a request that they
 * reject gets no replay.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger(IdempotencyInterceptor.name);

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<CallerRequest>();
    const response = http.getResponse<Response>();
    const key = request.headers['idempotency-key'];
    // An unreadable body is rejected without storing the key, because it cannot be compared with another request.
    if (key === undefined || request.body instanceof UnreadableBody) return next.handle();
    if (typeof key !== 'string' || !VISIBLE_ASCII.test(key)) {
      throw invalid([{ field: HEADER, code: 'INVALID_IDEMPOTENCY_KEY' }]);
    }
    const { environmentUuid, identityUuid } = request.caller!;
    const claim = await this.keys.claim({
      scopeUuid: identityUuid ?? environmentUuid,
      environmentUuid,
      key,
      content: [request.method, request.originalUrl, request.body ?? {}],
    });
    if (!('lease' in claim)) return of(replay(claim, response));
    return of(await this.once(claim, next, context));
  }

  private async once(claim: IdempotencyClaim, next: CallHandler<unknown>, context: ExecutionContext) {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<CallerRequest>(), http.getResponse<Response>()];
    try {
      const body = await runIdempotently(
        (transaction) => this.keys.markCommitted(claim, transaction),
        () => lastValueFrom(next.handle(), { defaultValue: undefined }),
      );
      await this.settle(() =>
        this.hasSecret(context)
          ? this.keys.store(claim, { status: response.statusCode, body: null, withheld: true }, [])
          : this.keys.store(
              claim,
              { status: response.statusCode, body, location: response.getHeader('Location') as string | undefined },
              uuidsIn(request, (body as ResponseBody | undefined) ?? {}),
            ),
      );
      return body;
    } catch (error) {
      await this.settle(() => this.keys.release(claim));
      throw error;
    }
  }

  private hasSecret(context: ExecutionContext): boolean {
    return this.reflector.get<true | undefined>(WITH_SECRET, context.getHandler()) === true;
  }

  /** The caller gets a response even when the key cannot be updated. */
  private async settle(write: () => Promise<void>): Promise<void> {
    await write().catch((error: unknown) => this.logger.error(error, 'An idempotency key could not be updated'));
  }
}

/** @throws ApiError 409 `SECRET_ALREADY_SHOWN` */
function replay(answer: StoredResponse, response: Response): unknown {
  if (answer.withheld) throw conflict('SECRET_ALREADY_SHOWN');
  response.setHeader(REPLAYED, 'true');
  if (answer.location !== undefined) response.setHeader('Location', answer.location);
  response.status(answer.status);
  return answer.body;
}

interface ResponseBody {
  readonly data?: unknown;
}

/** The uuids that a response refers to: it is deleted together with any of them. */
function uuidsIn({ params, body, caller, belongsTo = [] }: CallerRequest, answer: ResponseBody): string[] {
  const values: unknown[] = [...Object.values(params), caller!.identityUuid, ...belongsTo];
  for (const source of [body, answer, answer.data] as unknown[]) {
    if (typeof source === 'object' && source !== null) values.push(...(Object.values(source) as unknown[]));
  }
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && isUuid(value)))];
}

const KEY_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: VISIBLE_ASCII.source,
  example: '6f1c0e1e-6d0e-4a53-9a55-0a0b7f6d3f7e',
};

const acceptsKey = (description: string): ClassDecorator & MethodDecorator =>
  applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({ name: HEADER, required: false, description, schema: KEY_SCHEMA }),
  );

/**
 * Makes a POST that creates something accept `Idempotency-Key`. Place it below the documentation of its responses and name
 * the success statuses.
 */
export const Idempotent = (...success: number[]) =>
  applyDecorators(
    acceptsKey(
      'A key of your choice, preferably a random UUID, that makes the request safe to repeat. For 24 hours the same key with the same request returns the first response again, and nothing is done twice; with a different request the response is 422 `IDEMPOTENCY_KEY_REUSED`, and while the first request is still running 409 `IDEMPOTENCY_IN_PROGRESS`. Only successes are stored: after an error, the same request with the same key is evaluated again.',
    ),
    ...success.map((status) =>
      ApiResponse({
        status,
        headers: {
          [REPLAYED]: {
            description:
              'Present when this is the stored response to an earlier request with the same `Idempotency-Key`.',
            schema: { type: 'string', enum: ['true'], example: 'true' },
          },
        },
      }),
    ),
  );

/** The same for a POST whose response contains a secret: it is not done twice, but its response is not stored either. */
export const IdempotentWithSecret = () =>
  applyDecorators(
    SetMetadata(WITH_SECRET, true),
    ApiErrors('SECRET_ALREADY_SHOWN'),
    acceptsKey(
      'A key of your choice, preferably a random UUID, that makes the request safe to repeat: for 24 hours nothing is done twice. The response contains a secret and is not stored: the same key with the same request is answered with 409 `SECRET_ALREADY_SHOWN`, with a different request with 422 `IDEMPOTENCY_KEY_REUSED`, and while the first request is still running with 409 `IDEMPOTENCY_IN_PROGRESS`. After an error, the same request with the same key is evaluated again.',
    ),
  );
