import type { NextFunction, Request, Response } from 'express';

/**
 * Ends the connection with an answer that is sent before the request's body has arrived (decisions 1: 413 at the first byte
 * too many, 401 before the body). Node would go on receiving and throwing away whatever the caller still sends.
 */
export function closeUnread(request: Request, response: Response, next: NextFunction): void {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0) {
    const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => Response;
    response.writeHead = (...values: unknown[]) => {
      if (!request.complete) response.setHeader('Connection', 'close');
      return writeHead(...values);
    };
  }
  next();
}
