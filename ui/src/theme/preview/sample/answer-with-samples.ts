import type { Connection } from '@docfetch/sdk';
import type { Lang } from '../../../messages/date-format';
import { sampleConnections, sampleTimeline, sampleTransactions } from './sample-connections';
import { sampleIntegrations } from './sample-integrations';

const LAST_PAGE = { next_cursor: null, has_more: false };

/** Answers the requests of the hosted UI in the browser. What would change something is refused. */
export function answerWithSamples(request: Request): Promise<Response> {
  const lang: Lang = request.headers.get('Lang') === 'de' ? 'de' : 'en';
  const path = new URL(request.url).pathname.split('/').slice(2).map(decodeURIComponent);
  const answer = request.method === 'GET' ? sampleOf(path, lang) : null;
  return Promise.resolve(answer ? Response.json(answer) : refusal(lang));
}

function sampleOf([kind, id, part]: string[], lang: Lang): object | null {
  if (kind === 'integrations') {
    const all = sampleIntegrations(lang);
    return id ? dataOf(all.find(({ integration_id }) => integration_id === id)) : { data: all, meta: LAST_PAGE };
  }
  if (kind !== 'connections') return null;
  const all = sampleConnections(lang);
  if (!id) return { data: all, meta: LAST_PAGE };
  const found = all.find(({ uuid }) => uuid === id);
  return found ? partOf(found, part, lang) : null;
}

function partOf(connection: Connection, part: string | undefined, lang: Lang): object | null {
  const { uuid, name, integration_id, status } = connection;
  switch (part) {
    case undefined:
      return { data: connection };
    case 'information':
      return { data: { uuid, name, integration_id, status, steps: [] } };
    case 'transactions':
      return { data: sampleTransactions(lang), meta: LAST_PAGE };
    case 'timeline':
      return { data: sampleTimeline(lang), meta: LAST_PAGE };
    case 'fetches':
      return { data: [], meta: LAST_PAGE };
    default:
      return null;
  }
}

const dataOf = (data: object | undefined): object | null => (data ? { data } : null);

function refusal(lang: Lang): Response {
  const detail =
    lang === 'de'
      ? 'Das ist eine Vorschau mit erfundenen Daten: Hier wird nichts gesendet.'
      : 'This is a preview with made-up data: nothing is sent here.';
  return Response.json({ title: 'Preview', status: 422, code: 'PREVIEW', detail, errors: [] }, { status: 422 });
}
