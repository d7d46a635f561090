import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';

/** The extension that holds the deprecation of an operation until the OpenAPI document is completed. */
export const DEPRECATION_EXTENSION = 'x-deprecated-since';
const DEPRECATION = 'deprecation';
/** decisions 1: a deprecated operation remains for twelve months. */
const MONTHS = 12;

/** A deprecation: dates with time (RFC 3339), and the path of what replaces the operation. */
export interface DescribedDeprecation {
  readonly since: string;
  readonly sunset: string;
  readonly successor: string | null;
}

/**
 * Marks an operation as deprecated (decisions 1): sets `Deprecation` (RFC 9745), `Sunset` (RFC 8594), twelve months later, and
 * `Link` to the successor on every response, and marks the operation in the OpenAPI document. `since` is a date such as
 * `2026-12-01`. `successor` is a path of the API; a `{name}` in it is replaced by the parameter of the request's path.
 * @throws RangeError for an invalid date, at the start of the application
 */
export function DeprecatedSince(since: string, { successor = null }: { readonly successor?: string | null } = {}) {
  const start = new Date(`${since}T00:00:00Z`);
  const sunset = new Date(start);
  sunset.setUTCMonth(sunset.getUTCMonth() + MONTHS);
  const deprecation: DescribedDeprecation = { since: start.toISOString(), sunset: sunset.toISOString(), successor };
  return applyDecorators(SetMetadata(DEPRECATION, deprecation), ApiExtension(DEPRECATION_EXTENSION, deprecation));
}

/** Sets the headers of {@link DeprecatedSince}. It runs before authentication, so that rejections have the headers too. */
@Injectable()
export class DeprecationHeaders implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    const deprecation = this.reflector.getAllAndOverride<DescribedDeprecation | undefined>(DEPRECATION, targets);
    if (!deprecation) return true;
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const { since, sunset, successor } = deprecation;
    response.setHeader('Deprecation', `@${Date.parse(since) / 1000}`);
    response.setHeader('Sunset', new Date(sunset).toUTCString());
    if (successor !== null) {
      const { params } = http.getRequest<Request>();
      response.append('Link', `<${filled(successor, params)}>; rel="successor-version"`);
    }
    return true;
  }
}

const filled = (template: string, params: Readonly<Record<string, unknown>>) =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return typeof value === 'string' ? encodeURIComponent(value) : whole;
  });
