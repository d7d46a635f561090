import { type Agent, request } from 'node:http';

/** A request as bytes, which no client library corrects. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface RawResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

const TIMEOUT_MS = 30_000;

/** Sends a request over a keep-alive connection. Rejects when no complete response arrives within 30 s. */
export function sendRawRequest(
  agent: Agent,
  base: string,
  { method, path, headers, body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers, timeout: TIMEOUT_MS }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          type: response.headers['content-type']?.split(';')[0],
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} hangs`)));
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}
