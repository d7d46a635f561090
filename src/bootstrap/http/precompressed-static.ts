import type { NextFunction, Request, RequestHandler, Response } from 'express';
import mime from 'mime';
import { readdirSync } from 'node:fs';

/** In order of preference; `ui/build.mjs` creates both. */
const CODINGS = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const;

/** Serves the precompressed variants of the files in a folder and below it, if the browser accepts them. */
export function servePrecompressed(folder: string): RequestHandler {
  const names = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  return (request: Request, response: Response, next: NextFunction) => {
    const name = request.path.slice(1);
    const found = CODINGS.find(({ coding, suffix }) => names.has(name + suffix) && request.acceptsEncodings(coding));
    if (names.has(name)) response.vary('Accept-Encoding');
    if (found) {
      request.url = `/${name}${found.suffix}`;
      response.setHeader('Content-Encoding', found.coding);
      response.type(mime.getType(name) ?? 'application/octet-stream');
    }
    next();
  };
}
