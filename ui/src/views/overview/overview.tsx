import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { loadConnections } from '../../api/connections';
import { loadIntegrations } from '../../api/integrations';
import { useQuery } from '../../api/use-query';
import { RouteLink } from '../../components/action';
import { useFlash } from '../../components/flash-message';
import { Plus } from '../../components/icons';
import { Facts } from '../../components/list/facts';
import { Loading } from '../../components/loading';
import { LiveRegion } from '../../components/live-region';
import { Notice, ProblemNotice } from '../../components/notice';
import { Page } from '../../components/page';
import { useSession } from '../../session/session';
import { useMessages } from '../../messages/use-messages';
import { ConnectionCard } from './connection-card';
import { ConnectionFilterTools } from './connection-filter';
import { type ConnectionFilter, EVERYTHING, groupOf, isShown, problemsFirst, type Source } from './find-connections';

/** With fewer sources, the search and the filter are hidden. */
const SEARCH_FROM = 8;

/** All connections of the identity, each with its status and its next step; those with a problem come first. */
export function Overview() {
  const { messages, lang } = useMessages();
  const { client, session, isAllowed } = useSession();
  const [message] = useFlash();
  const [filter, setFilter] = useState<ConnectionFilter>(EVERYTHING);
  const list = useRef<HTMLUListElement>(null);
  const { data, problem, reload } = useQuery(async () => {
    const [catalog, connections] = await Promise.all([loadIntegrations(client), loadConnections(client)]);
    const integrations = new Map(catalog.map((integration) => [integration.integration_id, integration]));
    return problemsFirst(
      connections.map((connection) => ({ connection, integration: integrations.get(connection.integration_id) })),
    );
  }, lang);
  if (!data && !problem) return <Loading />;
  const sources = data ?? [];
  const isSearchable = sources.length >= SEARCH_FROM;
  const shown = sources.filter((source) => isShown(source, filter));
  const problems = sources.filter(({ connection }) => groupOf(connection) === 'PROBLEM');
  const add = isAllowed('CREATE') ? (
    <RouteLink to={{ view: 'choose' }} variant="primary">
      <Plus /> {messages.overview.add}
    </RouteLink>
  ) : null;
  const liveRegion = <LiveRegion message={message} />;
  if (data?.length === 0 && !problem)
    return (
      <Page title={messages.overview.emptyTitle} lead={<p>{messages.overview.emptyText}</p>}>
        {liveRegion}
        <p className="actions">{add}</p>
      </Page>
    );
  const showProblems = () => {
    if (isSearchable) flushSync(() => setFilter({ ...EVERYTHING, group: 'PROBLEM' }));
    list.current?.querySelector('a')?.focus();
  };
  return (
    <Page
      title={messages.overview.title}
      action={add}
      lead={
        <p>
          <Facts facts={[session.identity.display_name, messages.overview.lead]} />
        </p>
      }
    >
      {liveRegion}
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {problems.length > 0 ? <ProblemsNotice problems={problems} show={showProblems} /> : null}
      {isSearchable ? <ConnectionFilterTools sources={sources} filter={filter} onChange={setFilter} /> : null}
      <p role="status" className="visually-hidden">
        {filter === EVERYTHING ? '' : messages.choose.results(shown.length)}
      </p>
      {sources.length > 0 && shown.length === 0 ? (
        <p className="nothing">{messages.choose.nothing(filter.query)}</p>
      ) : null}
      {shown.length > 0 ? (
        <ul className="cards" ref={list}>
          {shown.map((source) => (
            <ConnectionCard key={source.connection.uuid} {...source} />
          ))}
        </ul>
      ) : null}
    </Page>
  );
}

/** The number of sources that need the user, as a link to the source or to all of them. */
function ProblemsNotice({ problems, show }: { problems: readonly Source[]; show: () => void }) {
  const { messages } = useMessages();
  const text = messages.overview.attention(problems.length);
  const [first] = problems;
  return (
    <Notice tone="warning">
      <p>
        {problems.length === 1 ? (
          <RouteLink to={{ view: 'connection', uuid: first!.connection.uuid }}>{text}</RouteLink>
        ) : (
          <button type="button" className="link" onClick={show}>
            {text}
          </button>
        )}
      </p>
    </Notice>
  );
}
