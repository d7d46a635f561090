import { de as consoleDe } from '../../../../console/src/messages/de';
import { en as consoleEn } from '../../../../console/src/messages/en';
import { de as auditDe } from '../../../../console/src/views/audit/messages/de';
import { en as auditEn } from '../../../../console/src/views/audit/messages/en';
import { de as connectionDe } from '../../../../console/src/views/connection/messages/de';
import { en as connectionEn } from '../../../../console/src/views/connection/messages/en';
import { de as connectionsDe } from '../../../../console/src/views/connections/messages/de';
import { en as connectionsEn } from '../../../../console/src/views/connections/messages/en';
import { de as endpointDe } from '../../../../console/src/views/endpoint/messages/de';
import { en as endpointEn } from '../../../../console/src/views/endpoint/messages/en';
import { de as environmentDe } from '../../../../console/src/views/environment/messages/de';
import { en as environmentEn } from '../../../../console/src/views/environment/messages/en';
import { de as environmentsDe } from '../../../../console/src/views/environments/messages/de';
import { en as environmentsEn } from '../../../../console/src/views/environments/messages/en';
import { de as eventsDe } from '../../../../console/src/views/events/messages/de';
import { en as eventsEn } from '../../../../console/src/views/events/messages/en';
import { de as keysDe } from '../../../../console/src/views/keys/messages/de';
import { en as keysEn } from '../../../../console/src/views/keys/messages/en';
import { de as overviewDe } from '../../../../console/src/views/overview/messages/de';
import { en as overviewEn } from '../../../../console/src/views/overview/messages/en';
import { de as serviceDe } from '../../../../console/src/views/service/messages/de';
import { en as serviceEn } from '../../../../console/src/views/service/messages/en';
import { de as sessionsDe } from '../../../../console/src/views/sessions/messages/de';
import { en as sessionsEn } from '../../../../console/src/views/sessions/messages/en';
import { de as sourcesDe } from '../../../../console/src/views/sources/messages/de';
import { en as sourcesEn } from '../../../../console/src/views/sources/messages/en';
import { de as transactionDe } from '../../../../console/src/views/transaction/messages/de';
import { en as transactionEn } from '../../../../console/src/views/transaction/messages/en';
import { de as transactionsDe } from '../../../../console/src/views/transactions/messages/de';
import { en as transactionsEn } from '../../../../console/src/views/transactions/messages/en';
import { de as usageDe } from '../../../../console/src/views/usage/messages/de';
import { en as usageEn } from '../../../../console/src/views/usage/messages/en';
import { de as webhooksDe } from '../../../../console/src/views/webhooks/messages/de';
import { en as webhooksEn } from '../../../../console/src/views/webhooks/messages/en';
import type { ManyRows } from './many-rows';
import type { Lang } from '../ui-context';
import type { Stop } from './walk';

const TEXTS = {
  de: {
    console: consoleDe,
    audit: auditDe,
    connection: connectionDe,
    connections: connectionsDe,
    endpoint: endpointDe,
    environment: environmentDe,
    environments: environmentsDe,
    events: eventsDe,
    keys: keysDe,
    overview: overviewDe,
    service: serviceDe,
    sessions: sessionsDe,
    sources: sourcesDe,
    transaction: transactionDe,
    transactions: transactionsDe,
    usage: usageDe,
    webhooks: webhooksDe,
  },
  en: {
    console: consoleEn,
    audit: auditEn,
    connection: connectionEn,
    connections: connectionsEn,
    endpoint: endpointEn,
    environment: environmentEn,
    environments: environmentsEn,
    events: eventsEn,
    keys: keysEn,
    overview: overviewEn,
    service: serviceEn,
    sessions: sessionsEn,
    sources: sourcesEn,
    transaction: transactionEn,
    transactions: transactionsEn,
    usage: usageEn,
    webhooks: webhooksEn,
  },
};

/** Rows of a page: of a list that is a view, of one in a view, and of attempts. */
const [PAGE, PART, ATTEMPTS] = [50, 30, 20];
/** The last failures that the endpoint shows. */
const FAILURES = 10;

/** The views of both roles in an environment with 100,000 rows. */
export function filledStops(lang: Lang, rows: ManyRows): Stop[] {
  const texts = TEXTS[lang];
  const list = (view: string, caption: string, count = PAGE): Stop => ({ view, address: view, list: [caption, count] });
  const connection = `connections/${rows.connection}`;
  const blank = `connections/${rows.blankConnection}`;
  const part = (address: string, shown: Partial<Stop>): Stop => ({ view: 'connections/:uuid', address, ...shown });
  return [
    { view: '', address: '', texts: [texts.overview.fetches, texts.overview.deliveries], selector: '.section .chart' },
    list('connections', texts.connections.title),
    part(connection, { list: [texts.connection.timeline, PART] }),
    part(`${connection}?tab=fetches`, { list: [texts.connection.fetches, PART] }),
    part(`${connection}?tab=documents`, { list: [texts.connection.tabs.documents, PART] }),
    part(`${connection}?tab=failures`, { list: [texts.connection.failures, PART] }),
    part(blank, { texts: [texts.connection.timelineEmpty] }),
    part(`${blank}?tab=fetches`, { texts: [texts.connection.fetchesEmpty] }),
    part(`${blank}?tab=documents`, { texts: [texts.connection.documentsEmpty] }),
    part(`${blank}?tab=failures`, { texts: [texts.connection.failuresEmpty] }),
    list('transactions', texts.transactions.title),
    {
      view: 'transactions/:uuid',
      address: `transactions/${rows.transaction}`,
      texts: [texts.transaction.verdict],
      list: [texts.transaction.attempts, ATTEMPTS],
    },
    list('sources', texts.sources.tabs.requested),
    { ...list('sources', texts.sources.tabs.expected), address: 'sources?tab=expected' },
    { ...list('endpoint', texts.endpoint.failures, FAILURES), selector: '.section .chart' },
    list('webhooks', texts.webhooks.title),
    { ...list('webhooks/:uuid', texts.webhooks.deliveries), address: `webhooks/${rows.webhook}` },
    list('events', texts.events.title),
    list('keys', texts.keys.title),
    { ...list('usage', texts.usage.title, 12), texts: [texts.usage.limits] },
    list('audit', texts.audit.title),
    list('sessions', texts.sessions.title),
  ];
}

/** The same in an environment without anything; `missing` is a uuid that does not exist. */
export function emptyStops(lang: Lang, role: 'DEVELOPER' | 'SUPPORT', missing: string): Stop[] {
  const texts = TEXTS[lang];
  const gone = (view: string): Stop => ({
    view,
    address: view.replace(':uuid', missing),
    selector: 'main [role="alert"]',
  });
  const empty = (view: string, text: string): Stop => ({ view, address: view, texts: [text] });
  return [
    { ...empty('', texts.overview.nothing), selector: `.section:has-text("${texts.overview.none}")` },
    empty('connections', texts.connections.empty),
    gone('connections/:uuid'),
    empty('transactions', texts.transactions.empty),
    gone('transactions/:uuid'),
    empty('sources', texts.sources.requestedEmpty),
    { ...empty('sources', texts.sources.expectedEmpty), address: 'sources?tab=expected' },
    empty('endpoint', texts.endpoint.noPushText.POLLING),
    empty('webhooks', texts.webhooks.empty),
    gone('webhooks/:uuid'),
    empty('events', texts.events.empty),
    { ...empty('usage', texts.usage.limits), list: [texts.usage.title, 12] },
    // The first key, the creation of the environment, and this session: these are never empty. The support team sees the sessions of all environments.
    { view: 'keys', address: 'keys', list: [texts.keys.title, 1] },
    { view: 'audit', address: 'audit', selector: '.list tbody tr' },
    { ...empty('sessions', texts.sessions.current), list: [texts.sessions.title, role === 'SUPPORT' ? PAGE : 1] },
  ];
}

/** The objects of another environment, which do not exist in the empty one. */
export const foreignStops = (rows: ManyRows): Stop[] =>
  [`connections/${rows.connection}`, `transactions/${rows.transaction}`, `webhooks/${rows.webhook}`].map((address) => ({
    view: address.replace(/\/.*/, '/:uuid'),
    address,
    selector: 'main [role="alert"]',
  }));

/** Texts that appear in the views of the environment with 100,000 rows, and in no view of a developer of another one. */
export const marksOf = ({ client }: ManyRows): string[] => [
  client,
  'kunde-1',
  'Lieferant 1',
  'Kontoauszug 1',
  'Stadtwerke',
];

/** What only the support team sees: views of one environment, and of the installation. */
export function supportStops(lang: Lang): Stop[] {
  const { environment, environments, service } = TEXTS[lang];
  return [
    { view: 'settings', address: 'settings', texts: [environment.tabs.general], selector: 'form' },
    { view: 'settings', address: 'settings?tab=provisioning', texts: [environment.strategy] },
    { view: 'settings', address: 'settings?tab=signing', texts: [environment.noTransition] },
    { view: 'theme', address: 'theme', selector: 'iframe' },
    { view: 'environments', address: 'environments', list: [environments.title, PAGE] },
    { view: 'integrations', address: 'integrations', selector: '.table tbody tr' },
    { view: 'service', address: 'service', texts: [service.backlog, service.queues], selector: '.table tbody tr' },
  ];
}

/** The same views for a developer. */
export const refusedStops = (lang: Lang): Stop[] =>
  supportStops(lang)
    .filter(({ view, address }) => view === address)
    .map(({ view }) => ({ view, address: view, texts: [TEXTS[lang].console.notFound.supportOnly] }));
