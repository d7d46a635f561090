import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Settings } from '../../platform/config/settings';
import { prepared } from '../../platform/database/sql';
import { allowedMethods, isDecodable } from '../../platform/http/connection/allowed-methods';
import { crossOriginOf, type CrossOriginRequest } from './cross-origin';

/** Seconds that a browser caches a preflight response; Chromium caches none for longer. */
const MAX_AGE_SECONDS = 7200;
/** The methods of all operations, so that pages can read 404 and 405 responses. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Headers that a page may send. `X-API-KEY` is not included, because it is only for backends. */
const REQUEST_HEADERS = 'X-TOKEN, Content-Type, Lang, Idempotency-Key, If-None-Match, If-Range, Range, X-Request-Id';
/** Headers that a page may read. */
const RESPONSE_HEADERS = [
  ...['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Location', 'Content-Language', 'ETag'],
  ...['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'Idempotent-Replayed', 'Deprecation', 'Sunset', 'Link'],
].join(', ');

/**
 * CORS for web pages of clients (decisions 1). A preflight has no token, so an origin is accepted if any environment allows it;
 * `OriginGuard` checks the environment of the token. Credentials mode is not supported, because no cookies are used.
 */
@Injectable()
export class CorsPolicy {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
  ) {}

  /**
   * Sets the CORS headers for an allowed origin, so that the page can read every response, including errors.
   * @returns whether the request was a preflight and has been answered
   */
  async apply(request: CrossOriginRequest, response: Response): Promise<boolean> {
    const origin = crossOriginOf(request, this.settings.publicUrl);
    if (origin === null) return false;
    response.vary('Origin');
    request.allowedBy = await this.environmentsOf(origin);
    if (request.allowedBy.size === 0) return false;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (isPreflight) answerPreflight(request, response);
    return isPreflight;
  }

  /** Queried for every request, so that the removal of an origin takes effect immediately. */
  private async environmentsOf(origin: string): Promise<ReadonlySet<string>> {
    const found = await prepared<{ uuid: string }>(
      this.em,
      'select uuid from environment where browser_origins @> jsonb_build_array($1::text)',
      [origin],
    );
    return new Set(found.map(({ uuid }) => uuid));
  }
}

function answerPreflight(request: CrossOriginRequest, response: Response): void {
  const methods = isDecodable(request.path) ? allowedMethods(request) : [];
  if (methods.length > 0) response.setHeader('Allow', methods.join(', '));
  response
    .setHeader('Access-Control-Allow-Methods', METHODS)
    .setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS)
    .setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
  response.vary('Access-Control-Request-Method, Access-Control-Request-Headers');
  response.status(204).end();
}
