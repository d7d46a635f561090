import { type Connection, getConnection } from '@docfetch/sdk';
import { useEffect, useRef } from 'react';
import { Link } from 'react-aria-components';
import { integration as findIntegration } from '../api/integrations';
import { useLoad } from '../api/use-load';
import { usePoll } from '../api/use-poll';
import { External } from '../parts/icons';
import { Loading } from '../parts/loading';
import { Logo } from '../parts/logo';
import { ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import { addressFor } from './authorize';
import { useGoOnward } from './use-go-onward';

/** In a frame: the provider is visited in a window of its own, and this page goes on by itself. */
export function Elsewhere({ uuid }: { uuid: string }) {
  const { words, lang } = useWords();
  const { client, session } = useSession();
  const goOnward = useGoOnward();
  const before = useRef<Connection | null>(null);
  const { data, problem, reload } = useLoad(async () => {
    const { data: connection } = await getConnection({ client, path: { uuid } });
    before.current ??= connection;
    return (await findIntegration(client, connection.integration_id)) ?? null;
  }, `${uuid} ${lang}`);
  const now = usePoll(
    async () => (await getConnection({ client, path: { uuid } })).data,
    (seen) => isAuthorized(before.current, seen),
  );
  const authorized = isAuthorized(before.current, now);
  useEffect(() => {
    if (authorized && now) goOnward(now);
  }, [authorized]);
  const url = addressFor(uuid);
  const back = session.preselection.connection_uuid ? null : ({ view: 'connection', uuid } as const);
  if (problem)
    return (
      <Page title={words.overview.title} back={back}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data) return <Loading />;
  return (
    <Page
      title={words.connect.elsewhere(data.name)}
      lead={<p>{words.connect.elsewhereText(data.name)}</p>}
      back={back}
      logo={<Logo url={data.logo_url} size={52} />}
    >
      {url ? (
        <p className="actions">
          <Link className="action primary" href={url} target="_blank" rel="noopener noreferrer">
            {words.connect.elsewhereOpen(data.name)} <External />
            <span className="visually-hidden">({words.connect.newWindow})</span>
          </Link>
        </p>
      ) : null}
      <p role="status" className="fetch-line">
        <span className="spinner" aria-hidden="true" />
        <span>{words.connect.elsewhereWaiting}</span>
      </p>
    </Page>
  );
}

/** An authorisation that has been granted is the only thing that changes a connection while its user is away. */
function isAuthorized(before: Connection | null, now: Connection | null): boolean {
  if (!before || !now || now.reason?.action === 'AUTHORIZE') return false;
  return before.reason?.action === 'AUTHORIZE' || now.updated_at !== before.updated_at;
}
