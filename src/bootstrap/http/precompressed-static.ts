import type { NextFunction, Request, RequestHandler, Response } from 'express';
import mime from 'mime';
import { readdirSync } from 'node:fs';

/** The better one first; `ui/build.mjs` makes both. */
const CODINGS = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const;

/** Lets the files of a folder be answered as they were compressed when they were built, where the browser takes that. */
export function servePrecompressed(folder: string): RequestHandler {
  const names = new Set(readdirSync(folder));
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
