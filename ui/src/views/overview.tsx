import { type Connection, type Integration, listConnections } from '@docfetch/sdk';
import { integrations } from '../api/integrations';
import { nextStep } from '../api/next-step';
import { useLoad } from '../api/use-load';
import { Go } from '../parts/action';
import { useFlash } from '../parts/flash';
import { ChevronRight, Plus } from '../parts/icons';
import { Loading } from '../parts/loading';
import { Logo } from '../parts/logo';
import { News } from '../parts/news';
import { Notice, ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { Schedule, State } from '../parts/state';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';

/** All connections of the identity: how they do, and what to do about it. */
export function Overview() {
  const { words, lang } = useWords();
  const { client, session, may } = useSession();
  const [said] = useFlash();
  const { data, problem, reload } = useLoad(async () => {
    const [catalogue, list] = await Promise.all([integrations(client), listConnections({ client })]);
    return { catalogue, connections: list.data };
  }, lang);
  if (!data && !problem) return <Loading />;
  const connections = data?.connections ?? [];
  const waiting = connections.filter((connection) => connection.health === 'ACTION_REQUIRED').length;
  const empty = data !== null && connections.length === 0;
  const add = may('CREATE') ? (
    <Go to={{ view: 'choose' }} weight="primary">
      <Plus /> {words.overview.add}
    </Go>
  ) : null;
  const news = <News said={said} />;
  if (empty && !problem)
    return (
      <Page title={words.overview.emptyTitle} lead={<p>{words.overview.emptyText}</p>}>
        {news}
        <p className="actions">{add}</p>
      </Page>
    );
  return (
    <Page
      title={words.overview.title}
      lead={<p>{[session.identity.display_name, words.overview.lead].filter(Boolean).join(' · ')}</p>}
    >
      {news}
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {waiting > 0 ? <Notice tone="warning">{words.overview.attention(waiting)}</Notice> : null}
      <ul className="cards">
        {connections.map((connection) => (
          <Card
            key={connection.uuid}
            connection={connection}
            integration={data?.catalogue.find((it) => it.integration_id === connection.integration_id)}
          />
        ))}
      </ul>
      <p className="actions">{add}</p>
    </Page>
  );
}

function Card({ connection, integration }: { connection: Connection; integration: Integration | undefined }) {
  const { words } = useWords();
  const step = nextStep(connection, words.action);
  const target = step && typeof step.to === 'object' ? step.to : null;
  const { uuid, name, account, reason, status } = connection;
  const about = [integration?.name, account?.display].filter((text) => text && text !== name);
  return (
    <li className="card">
      <div className="card-row">
        <Logo url={integration?.logo_url} />
        <div className="card-text">
          <h2 className="card-title">
            <Go to={{ view: 'connection', uuid }} label={words.overview.manage(name)}>
              {name}
            </Go>
          </h2>
          {about.length > 0 ? <p className="about">{about.join(' · ')}</p> : null}
        </div>
        <State connection={connection} />
        <span className="card-arrow">
          <ChevronRight />
        </span>
      </div>
      {reason && status !== 'DISABLED' ? (
        <p className="card-reason">{reason.message}</p>
      ) : (
        <Schedule connection={connection} />
      )}
      {step && status !== 'DISABLED' ? (
        <p className="card-action">
          <Go to={target ?? { view: 'connection', uuid }} weight="plain">
            {step.label}
          </Go>
        </p>
      ) : null}
    </li>
  );
}
