import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { validate as isUuid } from 'uuid';
import type { CallerRequest } from '../access/access.decorator';
import { invalid } from '../../errors/errors';
import { runIdempotently } from './idempotent-transaction';
import { type Answer, type Claim, IdempotencyKeys } from './idempotency-keys';
import { UnreadableBody } from '../input/json-body';

const HEADER = 'Idempotency-Key';
const REPLAYED = 'Idempotent-Replayed';
/** decisions 1: 1–255 visible ASCII. */
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * Answers a request whose `Idempotency-Key` was used before as the first one was answered, without doing anything
 * (decisions 1). Only successes are kept: an error frees the key, so that the same request is evaluated again. It stands
 * behind the guards: whoever is refused by them gets no replay.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger(IdempotencyInterceptor.name);

  constructor(private readonly keys: IdempotencyKeys) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<CallerRequest>();
    const response = http.getResponse<Response>();
    const key = request.headers['idempotency-key'];
    // A body that cannot be read is refused without a trace: nobody can say what it was the same as.
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
    return of(await this.once(claim, next, request, response));
  }

  private async once(claim: Claim, next: CallHandler<unknown>, request: CallerRequest, response: Response) {
    try {
      const body = await runIdempotently(
        (transaction) => this.keys.markCommitted(claim, transaction),
        () => lastValueFrom(next.handle(), { defaultValue: undefined }),
      );
      await this.settle(() =>
        this.keys.keep(
          claim,
          { status: response.statusCode, body, location: response.getHeader('Location') as string | undefined },
          uuidsIn(request, (body as Told | undefined) ?? {}),
        ),
      );
      return body;
    } catch (error) {
      await this.settle(() => this.keys.release(claim));
      throw error;
    }
  }

  /** The work is done or has failed: the caller is answered even when the key cannot be updated. */
  private async settle(write: () => Promise<void>): Promise<void> {
    await write().catch((error: unknown) => this.logger.error(error, 'An answer could not be kept for its key'));
  }
}

function replay(answer: Answer, response: Response): unknown {
  response.setHeader(REPLAYED, 'true');
  if (answer.location !== undefined) response.setHeader('Location', answer.location);
  response.status(answer.status);
  return answer.body;
}

interface Told {
  readonly data?: unknown;
}

/** What an answer tells of: it is forgotten when any of it is deleted. */
function uuidsIn({ params, body, caller, belongsTo = [] }: CallerRequest, answer: Told): string[] {
  const values: unknown[] = [...Object.values(params), caller!.identityUuid, ...belongsTo];
  for (const source of [body, answer, answer.data] as unknown[]) {
    if (typeof source === 'object' && source !== null) values.push(...(Object.values(source) as unknown[]));
  }
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && isUuid(value)))];
}

/**
 * For a POST that creates something: it accepts `Idempotency-Key`. Place it below the documentation of its answers, name the
 * statuses of its success, and list 409 and 422 in `@ApiErrors`.
 */
export const Idempotent = (...success: number[]) =>
  applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: HEADER,
      required: false,
      description:
        'A key of your choice, best a random UUID, that makes the request safe to repeat. For 24 hours the same key with the same request gets the first answer again, and nothing is done twice; with another request it is 422 `IDEMPOTENCY_KEY_REUSED`, and while the first one is still running 409 `IDEMPOTENCY_IN_PROGRESS`. Only successes are kept: after an error the same request with the same key is evaluated again.',
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: VISIBLE_ASCII.source,
        example: '6f1c0e1e-6d0e-4a53-9a55-0a0b7f6d3f7e',
      },
    }),
    ...success.map((status) =>
      ApiResponse({
        status,
        headers: {
          [REPLAYED]: {
            description: 'Present when this is the answer to an earlier request with the same `Idempotency-Key`.',
            schema: { type: 'string', enum: ['true'], example: 'true' },
          },
        },
      }),
    ),
  );
