import type { Request } from 'express';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { readJsonBody, UnreadableBody } from './json-body';

async function read(text: string | Buffer, headers: Record<string, string> = {}): Promise<unknown> {
  const bytes = Buffer.from(text);
  const request = Object.assign(Readable.from([bytes]), {
    headers: { 'content-length': String(bytes.length), 'content-type': 'application/json', ...headers },
    body: undefined,
  });
  await readJsonBody(request as unknown as Request);
  return request.body;
}

const codeOf = (body: unknown) => (body instanceof UnreadableBody ? [body.error.getStatus(), body.error.code] : body);

describe('reading a body', () => {
  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', ''])(
    'parses JSON with Content-Type "%s"',
    async (type) => {
      expect(await read('{"a":[1,"ü"]}', { 'content-type': type })).toEqual({ a: [1, 'ü'] });
    },
  );

  it('parses forms of the service’s own pages, with a list for a repeated name', async () => {
    const request = Object.assign(Readable.from([Buffer.from('a=1&b=x+y&b=%C3%BC')]), {
      originalUrl: '/sandbox/authorize',
      headers: { 'content-length': '18', 'content-type': 'application/x-www-form-urlencoded' },
      body: undefined,
    });
    await readJsonBody(request as unknown as Request);
    expect(request.body).toEqual({ a: '1', b: ['x y', 'ü'] });
  });

  it.each(['{', '{"a":}', 'a=1', "{'a':1}", '{"a":1}}', '\ufeff\ufeff{}', 'undefined'])(
    'keeps the error of %j for later',
    async (text) => {
      expect(codeOf(await read(text))).toEqual([422, 'MALFORMED_JSON']);
    },
  );

  it('reads up to exactly 1 MiB', async () => {
    const text = (length: number) => JSON.stringify('x'.repeat(length - 2));
    expect(await read(text(1024 * 1024))).toHaveLength(1024 * 1024 - 2);
    expect(codeOf(await read(text(1024 * 1024 + 1)))).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it('limits the decompressed size', async () => {
    const bomb = gzipSync(JSON.stringify('x'.repeat(5_000_000)));
    expect(codeOf(await read(bomb, { 'content-encoding': 'gzip' }))).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it.each([
    ['a wrong length', { 'content-length': '999' }],
    ['an unknown encoding', { 'content-encoding': 'rot13' }],
    ['an unknown charset', { 'content-type': 'application/json; charset=klingon' }],
  ])('rejects %s as malformed', async (_, headers) => {
    expect(codeOf(await read('{}', headers))).toEqual([422, 'MALFORMED_JSON']);
  });
});
