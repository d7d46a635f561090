import compression from 'compression';
import type { NextFunction, Request, Response } from 'express';

const compress = compression({
  threshold: 1024,
  filter: (_request, response) => /^application\/json\b/.test(String(response.getHeader('Content-Type'))),
});

/**
 * Compresses JSON of more than 1 KB if the client accepts it (decisions 1); documents are mostly compressed already. Only for
 * requests with `Accept-Encoding`, because the library replaces methods of every response that it sees.
 */
export function compressJson(request: Request, response: Response, next: NextFunction): void {
  if (request.headers['accept-encoding'] === undefined) next();
  else compress(request, response, next);
}
