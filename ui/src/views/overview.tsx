import { type Connection, type IntegrationSummary, listConnections } from '@docfetch/sdk';
import { loadIntegrations } from '../api/integrations';
import { nextStep } from '../api/next-step';
import { useQuery } from '../api/use-query';
import { RouteLink } from '../components/action';
import { useFlash } from '../components/flash-message';
import { ChevronRight, Plus } from '../components/icons';
import { Loading } from '../components/loading';
import { Logo } from '../components/logo';
import { LiveRegion } from '../components/live-region';
import { Notice, ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { FetchSchedule, StatusBadge } from '../components/connection-status';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';

/** All connections of the identity, each with its status and its next step. */
export function Overview() {
  const { messages, lang } = useMessages();
  const { client, session, isAllowed } = useSession();
  const [message] = useFlash();
  const { data, problem, reload } = useQuery(async () => {
    const [catalog, list] = await Promise.all([loadIntegrations(client), listConnections({ client })]);
    return { catalog, connections: list.data };
  }, lang);
  if (!data && !problem) return <Loading />;
  const connections = data?.connections ?? [];
  const needAction = connections.filter((connection) => connection.health === 'ACTION_REQUIRED').length;
  const empty = data !== null && connections.length === 0;
  const add = isAllowed('CREATE') ? (
    <RouteLink to={{ view: 'choose' }} variant="primary">
      <Plus /> {messages.overview.add}
    </RouteLink>
  ) : null;
  const liveRegion = <LiveRegion message={message} />;
  if (empty && !problem)
    return (
      <Page title={messages.overview.emptyTitle} lead={<p>{messages.overview.emptyText}</p>}>
        {liveRegion}
        <p className="actions">{add}</p>
      </Page>
    );
  return (
    <Page
      title={messages.overview.title}
      lead={<p>{[session.identity.display_name, messages.overview.lead].filter(Boolean).join(' · ')}</p>}
    >
      {liveRegion}
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {needAction > 0 ? <Notice tone="warning">{messages.overview.attention(needAction)}</Notice> : null}
      <ul className="cards">
        {connections.map((connection) => (
          <Card
            key={connection.uuid}
            connection={connection}
            integration={data?.catalog.find((it) => it.integration_id === connection.integration_id)}
          />
        ))}
      </ul>
      <p className="actions">{add}</p>
    </Page>
  );
}

function Card({ connection, integration }: { connection: Connection; integration: IntegrationSummary | undefined }) {
  const { messages } = useMessages();
  const step = nextStep(connection, messages.action);
  const target = step && typeof step.to === 'object' ? step.to : null;
  const { uuid, name, account, reason, status } = connection;
  const about = [integration?.name, account?.display].filter((text) => text && text !== name);
  return (
    <li className="card">
      <div className="card-row">
        <Logo url={integration?.logo_url} />
        <div className="card-text">
          <h2 className="card-title">
            <RouteLink to={{ view: 'connection', uuid }} label={messages.overview.manage(name)}>
              {name}
            </RouteLink>
          </h2>
          {about.length > 0 ? <p className="about">{about.join(' · ')}</p> : null}
        </div>
        <StatusBadge connection={connection} />
        <span className="card-arrow">
          <ChevronRight />
        </span>
      </div>
      {reason && status !== 'DISABLED' ? (
        <p className="card-reason">{reason.message}</p>
      ) : (
        <FetchSchedule connection={connection} />
      )}
      {step && status !== 'DISABLED' ? (
        <p className="card-action">
          <RouteLink to={target ?? { view: 'connection', uuid }} variant="plain">
            {step.label}
          </RouteLink>
        </p>
      ) : null}
    </li>
  );
}
