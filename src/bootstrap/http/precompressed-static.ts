import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import mime from 'mime';
import { readdirSync } from 'node:fs';

/** In order of preference; `ui/build.mjs` creates both. */
const CODINGS = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const;

/** They describe the file. After 416, `Content-Range` still states its size. */
const FILE_HEADERS = ['Content-Encoding', 'Content-Type', 'Content-Length', 'ETag', 'Last-Modified', 'Accept-Ranges'];

/** Serves the files in a folder and below it, or their precompressed variants, if the browser accepts them. */
export function servePrecompressed(folder: string, options: Parameters<typeof express.static>[1]): RequestHandler {
  const names = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  const files = express.static(folder, options);
  return (request: Request, response: Response, next: NextFunction) => {
    const name = request.path.slice(1);
    const found = CODINGS.find(({ coding, suffix }) => names.has(name + suffix) && request.acceptsEncodings(coding));
    if (names.has(name)) response.vary('Accept-Encoding');
    if (found) {
      request.url = `/${name}${found.suffix}`;
      response.setHeader('Content-Encoding', found.coding);
      response.type(mime.getType(name) ?? 'application/octet-stream');
    }
    void files(request, response, (error?: unknown) => {
      // What answers instead, such as an error after a failed precondition (412) or for a range (416), is not the file.
      for (const header of FILE_HEADERS) response.removeHeader(header);
      if (error !== undefined) response.setHeader('Cache-Control', 'no-store');
      next(error);
    });
  };
}
