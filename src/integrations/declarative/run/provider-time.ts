import type { Session } from '../../core/integration';
import { UnexpectedResponse } from '../../core/source-errors';
import { discardBody, SourceHttpClient } from '../../shared/http/source-http-client';
import type { CompiledProvider } from '../compile/provider';

/**
 * By how many milliseconds the provider's clock is ahead of this server's, so that signatures have the time that the provider
 * expects. It is asked once per session, without credentials.
 * @throws UnexpectedResponse when the answer is no time, RateLimited, Transient, or the signal's reason
 */
export function providerLead(provider: CompiledProvider, session: Session, path: string): Promise<number> {
  return session.shared(
    `clock of ${provider.id}`,
    () => ask(provider, session, path),
    () => undefined,
  );
}

async function ask({ label, classify }: CompiledProvider, session: Session, path: string): Promise<number> {
  const http = new SourceHttpClient(session.network, session.signal, label, false);
  const { origin, pathname } = new URL(session.apiBaseUrl + path);
  const response = await http.send({ origin, path: pathname }, { method: 'GET' });
  const { status, headers } = response;
  if (status !== 200) {
    await discardBody(response);
    // Without credentials, other answers say nothing about them.
    if (status === 429 || status >= 500) throw classify({ status, headers, body: null }, 'list');
    throw new UnexpectedResponse(`${label} answers ${status} instead of its time.`);
  }
  const parts: Buffer[] = [];
  for await (const part of http.bytes(response)) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8').trim();
  if (!/^\d{9,11}$/.test(text)) throw new UnexpectedResponse(`${label} does not state its time.`);
  return Number(text) * 1000 - session.now().getTime();
}
