import express, { type NextFunction, type Request, type Response } from 'express';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import request from 'supertest';
import { servePrecompressed } from './precompressed-static';

describe('A precompressed file', () => {
  let folder: string;
  let server: express.Express;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docfetch-static-'));
    writeFileSync(join(folder, 'app.js'), 'let a;');
    writeFileSync(join(folder, 'app.js.br'), brotliCompressSync('let a;'));
    server = express();
    server.set('etag', false);
    server.use(servePrecompressed(folder, { immutable: true, maxAge: '1y', index: false }));
    server.use((_request, response) => void response.status(404).json({ code: 'NOT_FOUND' }));
    server.use((error: { status: number }, _request: Request, response: Response, _next: NextFunction) => {
      response.status(error.status).json({ code: 'FAILED' });
    });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const get = () => request(server).get('/app.js').set('Accept-Encoding', 'br');

  it('is sent to browsers that accept it, and kept by them', async () => {
    const response = await get().expect(200, 'let a;');
    expect(response.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/javascript/),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
  });

  it.each([
    [412, 'If-Match', '"another"'],
    [416, 'Range', 'bytes=5000-'],
  ])('leaves none of its headers on an error answer %d', async (status, header, value) => {
    const { headers } = await get().set(header, value).expect(status, { code: 'FAILED' });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringMatching(/json/),
      vary: 'Accept-Encoding',
    });
    for (const name of ['content-encoding', 'etag', 'last-modified', 'accept-ranges'])
      expect(headers).not.toHaveProperty(name);
    expect(headers['content-range']).toBe(
      status === 416 ? `bytes */${brotliCompressSync('let a;').length}` : undefined,
    );
  });

  it('leaves none of them on the answer to another method', async () => {
    const { headers } = await request(server).post('/app.js').set('Accept-Encoding', 'br').expect(404);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers['content-type']).toMatch(/json/);
  });
});
