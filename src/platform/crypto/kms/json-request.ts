import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { KMS_REQUEST_MS } from './kms';

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
const MAX_BYTES = 64 * 1024;

export interface JsonResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Sends JSON to a service whose address comes from the operator, like the database's: not through `GuardedNetwork`, which is for
 * addresses from clients and users. Redirects are not followed. Repeats requests that failed for the moment.
 * @throws Error when there is no response
 */
export async function postJson(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<JsonResponse> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await sendOnce(url, body, headers);
      if (attempt === ATTEMPTS || !isTransient(response.status)) return response;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
    await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
  }
}

/** Why there was no response: the code of a network error, otherwise the name of the error, or its message. Contains no header or body. */
export function reasonOf(error: unknown): string {
  const { code, name, message } = error as { code?: unknown; name: string; message: string };
  if (typeof code === 'string') return code;
  return name === 'Error' ? message : name;
}

export const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500;

async function sendOnce(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<JsonResponse> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(KMS_REQUEST_MS),
  });
  let text = '';
  for await (const chunk of response.body.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > MAX_BYTES) throw new Error('The response is too long.');
  }
  return { status: response.statusCode, body: parsed(text) };
}

/** Null for what is not JSON, like the page of a proxy. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
