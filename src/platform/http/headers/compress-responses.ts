import compression from 'compression';
import type { NextFunction, Request, Response } from 'express';

const isJson = (response: Response) => /^application\/json\b/.test(String(response.getHeader('Content-Type')));
/** Scripts and styles of the API documentation, 3.6 MB. Those of the web interfaces are compressed when they are built. */
const isDocumentation = (request: Request) => request.originalUrl.startsWith('/docs/');

const compress = compression({
  threshold: 1024,
  filter: (request, response) => isJson(response) || isDocumentation(request),
});

/**
 * Compresses JSON (decisions 1) and the API documentation if they have more than 1 KB and the client accepts it; documents are mostly
 * compressed already. Only for requests with `Accept-Encoding`, because the library replaces methods of every response that it sees.
 */
export function compressResponses(request: Request, response: Response, next: NextFunction): void {
  if (request.headers['accept-encoding'] === undefined) next();
  else compress(request, response, next);
}
