import type { Target } from './target';

/** The answer of the endpoint. */
export interface Answer {
  /** Null without an answer. */
  readonly status: number | null;
  /** Why there is no answer, as a code of Node or `TIMED_OUT`. */
  readonly error: string | null;
  /** The first KiB. */
  readonly excerpt: string;
  readonly durationMs: number;
}

const EXCERPT_BYTES = 1024;
/** Nothing listens, or it is being restarted: another attempt may succeed at once. */
const NOT_RUNNING = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ENOTFOUND', 'EAI_AGAIN'];

/** Sends a message like the service: no redirects, and a time limit. Never rejects because of the endpoint. */
export async function postMessage(
  target: Target,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Answer> {
  const started = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = (answer: Omit<Answer, 'durationMs'>): Answer => ({
    ...answer,
    durationMs: Math.round(performance.now() - started),
  });
  try {
    const response = await fetch(target.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Docfetch', ...target.headers, ...headers },
      body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) as Uint8Array<ArrayBuffer>,
      redirect: 'manual',
      signal: AbortSignal.any([timeout, signal]),
    });
    return ended({ status: response.status, error: null, excerpt: target.redact(await excerptOf(response)) });
  } catch (error) {
    return ended({ status: null, error: timeout.aborted ? 'TIMED_OUT' : networkCode(error), excerpt: '' });
  }
}

/** Whether the endpoint is probably being restarted. */
export const isNotRunning = ({ error }: Answer): boolean => error !== null && NOT_RUNNING.includes(error);

async function excerptOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    parts.push(part as Uint8Array);
    length += (part as Uint8Array).length;
    if (length >= EXCERPT_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, EXCERPT_BYTES).toString('utf8');
}

interface NetworkError {
  readonly code?: unknown;
  readonly cause?: NetworkError;
  /** One for each address of a name. */
  readonly errors?: readonly NetworkError[];
}

/** The code of the first cause that has one; `fetch` only says that it failed. */
function networkCode(error: unknown): string {
  for (let each = error as NetworkError | undefined; each; each = each.cause ?? each.errors?.[0]) {
    if (typeof each.code === 'string') return each.code;
  }
  return 'CONNECTION_FAILED';
}
