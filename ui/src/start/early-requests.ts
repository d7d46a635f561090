import type { Lang } from '../messages/date-format';
import { parseRoute } from '../route';
import type { SessionStart } from '../session/session-start';
import { ANY_MAILBOX } from '../views/mailbox/any-mailbox';

/** The time limit of a request, as in `api/client.ts`. An answer that no view has used for this long is out of date, too. */
const LIMIT_MS = 30_000;

/** Answers of requests that were sent before the application was loaded. Each is used once, because data changes. */
const answers = new Map<string, Promise<Response>>();

const keyOf = (address: string, lang: string | null) => `${lang} ${address}`;

/** Requests what the first view needs, as far as the token says. Errors are reported when the view uses the answer. */
export function requestFirstData({ token, claims, resumed }: SessionStart, lang: Lang): void {
  const request = (path: string) => {
    const address = new URL(path, location.origin).href;
    const headers = { 'X-TOKEN': token!, Lang: lang };
    const answer = fetch(address, { headers, redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) });
    answer.catch(() => undefined);
    const key = keyOf(address, lang);
    answers.set(key, answer);
    setTimeout(() => answers.delete(key), LIMIT_MS);
    return answer;
  };
  const requestIntegration = (id: string) => void request(`/v1/integrations/${encodeURIComponent(id)}`);
  void request('/v1/ui/session');
  if (resumed) return;
  const { integration_id: integration, connection_uuid: connection } = claims;
  if (integration === ANY_MAILBOX) return; // its view asks for an address first
  const isHome = parseRoute(location.hash).view === 'home';
  if (integration) requestIntegration(integration);
  else if (!connection) {
    void request('/v1/integrations');
    if (isHome) void request('/v1/connections');
  } else if (isHome)
    void request(`/v1/connections/${encodeURIComponent(connection)}`)
      .then((answer) => answer.clone().json())
      .then((body: { data: { integration_id: string } }) => requestIntegration(body.data.integration_id))
      .catch(() => undefined);
}

/** A `fetch` that uses the answer of an early request if there is one. */
export function fetchEarly(request: Request, init?: RequestInit): Promise<Response> {
  const key = keyOf(request.url, request.headers.get('Lang'));
  const answer = request.method === 'GET' ? answers.get(key) : undefined;
  answers.delete(key);
  return answer ?? fetch(request, init);
}
