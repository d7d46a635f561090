import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';

/** The extension that marks operations with {@link LocationHeader} until their response headers are written. */
export const LOCATION_EXTENSION = 'x-located';
/** The statuses that carry `Location` (decisions 1). */
const STATUSES = [201, 202];

interface Answered {
  readonly data?: object;
}

class LocationInterceptor implements NestInterceptor {
  constructor(private readonly template: string) {}

  intercept(context: ExecutionContext, next: CallHandler<Answered | undefined>): Observable<unknown> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      tap((body) => {
        if (!STATUSES.includes(response.statusCode)) return;
        const values: object = { ...http.getRequest<Request>().params, ...body, ...body?.data };
        response.setHeader('Location', filled(this.template, values as Record<string, unknown>));
      }),
    );
  }
}

/** @throws Error for a name that is neither in the path nor in the response */
const filled = (template: string, values: Readonly<Record<string, unknown>>) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value !== 'string') throw new Error(`There is no ${name} for the Location ${template}.`);
    return encodeURIComponent(value);
  });

/**
 * Sets and documents `Location` on 201 and 202 (decisions 1): the path of the created or queued resource. A `{name}` in the
 * template is replaced by a member of the response or a parameter of the path.
 */
export const LocationHeader = (template: string) =>
  applyDecorators(UseInterceptors(new LocationInterceptor(template)), ApiExtension(LOCATION_EXTENSION, true));
