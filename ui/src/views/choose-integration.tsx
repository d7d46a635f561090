import { type IntegrationSummary, listConnections } from '@docfetch/sdk';
import { useState } from 'react';
import { loadIntegrations } from '../api/integrations';
import { useQuery } from '../api/use-query';
import { Breakable } from '../components/breakable';
import { ChevronRight } from '../components/icons';
import { ListGroups, ListSearch } from '../components/list/list-filter';
import { Loading } from '../components/loading';
import { Logo } from '../components/logo';
import { normalizeText } from '../components/list/normalize-text';
import { ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { navigate, type Route } from '../route';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';
import { ANY_MAILBOX } from './mailbox/any-mailbox';
import { addressIn, AddressTile } from './mailbox/address-tile';
import { MissingSource } from './missing-source';

const CATEGORIES = ['MAILBOX', 'CLOUD_STORAGE', 'ACCOUNTING', 'PORTAL'] as const;
/** With fewer integrations, the search field is hidden. */
const SEARCH_FROM = 7;

const routeTo = (id: string): Route =>
  id === ANY_MAILBOX ? { view: 'mailbox', integration: null } : { view: 'connect', integration: id };

/** Whether the name, the id or another word for an integration contains the text. */
const matches = ({ name, integration_id, aliases }: IntegrationSummary, text: string): boolean =>
  [name, integration_id, ...aliases].some((word) => normalizeText(word).includes(normalizeText(text.trim())));

/** Available integrations first, then by kind, in the order of `CATEGORIES`, and by name. */
const likelyFirst = (lang: string) => (one: IntegrationSummary, other: IntegrationSummary) =>
  Number(other.available) - Number(one.available) ||
  CATEGORIES.indexOf(one.category) - CATEGORIES.indexOf(other.category) ||
  one.name.localeCompare(other.name, lang);

/**
 * Lists the integrations, searchable by name and filtered by category, those already used first. Unavailable ones are hidden,
 * unless the deployment shows them.
 */
export function ChooseIntegration() {
  const { messages, lang } = useMessages();
  const { client, session } = useSession();
  const [query, setQuery] = useState('');
  const [category, setCategory] = useState<(typeof CATEGORIES)[number] | 'ALL'>('ALL');
  const { data, problem, reload } = useQuery(async () => {
    const [catalog, list] = await Promise.all([loadIntegrations(client), listConnections({ client })]);
    const used = new Set(list.data.map((connection) => connection.integration_id));
    const listed = catalog.filter(({ available }) => available || session.show_unavailable);
    return { catalog: listed.sort(likelyFirst(lang)), used };
  }, lang);
  const back = { view: 'home' } as const;
  if (problem)
    return (
      <Page title={messages.choose.title} back={back}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data) return <Loading />;
  const found = data.catalog.filter(
    (integration) => (category === 'ALL' || integration.category === category) && matches(integration, query),
  );
  const address = addressIn(query);
  const searching = query.trim() !== '' || category !== 'ALL';
  const recent = searching
    ? []
    : found.filter(({ integration_id, available }) => available && data.used.has(integration_id));
  const others = found.filter((integration) => !recent.includes(integration));
  const kinds = CATEGORIES.filter((kind) => data.catalog.some((integration) => integration.category === kind));
  return (
    <Page title={messages.choose.title} back={back}>
      <div className="choose-tools">
        {data.catalog.length >= SEARCH_FROM ? <ListSearch value={query} onChange={setQuery} /> : null}
        <ListGroups
          label={messages.choose.kinds}
          groups={kinds.map((id) => ({ id, text: messages.choose.category[id] }))}
          selected={category}
          onSelect={setCategory}
        />
      </div>
      <p role="status" className="visually-hidden">
        {searching ? messages.choose.results(found.length + (address ? 1 : 0)) : ''}
      </p>
      {address ? (
        <AddressTile
          address={address}
          logo={data.catalog.find(({ integration_id }) => integration_id === ANY_MAILBOX)?.logo_url}
        />
      ) : null}
      {found.length === 0 && !address ? (
        <div className="nothing">
          <p>{messages.choose.nothing(query)}</p>
          <p className="help">
            <Breakable>{messages.choose.nothingHint}</Breakable>
          </p>
        </div>
      ) : null}
      <Group title={recent.length > 0 ? messages.choose.recent : null} list={recent} />
      <Group title={recent.length > 0 ? messages.choose.others : null} list={others} />
      <MissingSource query={query} />
    </Page>
  );
}

function Group({ title, list }: { title: string | null; list: readonly IntegrationSummary[] }) {
  const { messages } = useMessages();
  if (list.length === 0) return null;
  return (
    <section>
      {title ? <h2 className="group-title">{title}</h2> : null}
      <ul className="tiles">
        {list.map((integration) => (
          <li key={integration.integration_id}>
            <button
              type="button"
              className="tile"
              disabled={!integration.available}
              onClick={() => navigate(routeTo(integration.integration_id))}
            >
              <Logo url={integration.logo_url} />
              <span className="tile-text">
                <span className="tile-name">
                  <Breakable>{integration.name}</Breakable>
                </span>
                <span className="about">
                  {integration.available ? messages.choose.kind[integration.category] : messages.choose.unavailable}
                </span>
              </span>
              {integration.available ? <ChevronRight /> : null}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
