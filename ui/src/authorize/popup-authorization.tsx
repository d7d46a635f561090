import { type Connection, getConnection } from '@docfetch/sdk';
import { useEffect, useRef, useState } from 'react';
import { loadIntegration as findIntegration } from '../api/integrations';
import { useQuery } from '../api/use-query';
import { usePoll } from '../api/use-poll';
import { External } from '../components/icons';
import { Loading } from '../components/loading';
import { Logo } from '../components/logo';
import { ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { useSession } from '../session/session';
import { usePopupMessages } from '../messages/popup/use-popup-messages';
import { useMessages } from '../messages/use-messages';
import { popupUrl } from './start-authorization';
import { usePopup } from './use-popup';
import { useAuthorizationFailure, useAuthorizationRedirect } from './use-authorization-redirect';

/**
 * In an iframe or a popup of another page, the provider opens in a popup, which reports the result. This page also polls the connection, because some providers
 * disconnect the popup from its opener. If the browser opens no popup, the link shows the confirmation page first (decisions 3).
 */
export function PopupAuthorization({ uuid }: { uuid: string }) {
  const { messages, lang } = useMessages();
  const texts = usePopupMessages();
  const { client, session } = useSession();
  const redirect = useAuthorizationRedirect();
  const showFailure = useAuthorizationFailure();
  const before = useRef<Connection | null>(null);
  const { data, problem, reload } = useQuery(async () => {
    const { data: connection } = await getConnection({ client, path: { uuid } });
    before.current ??= connection;
    return (await findIntegration(client, connection.integration_id)) ?? null;
  }, `${uuid} ${lang}`);
  const [granted, setGranted] = useState(false);
  const load = async () => (await getConnection({ client, path: { uuid } })).data;
  const polled = usePoll(load, (seen) => isAuthorized(before.current, seen), !granted);
  const reported = usePoll(load, () => true, granted);
  const current = reported ?? polled;
  const authorized = reported !== null || isAuthorized(before.current, polled);
  const url = popupUrl(uuid);
  const popup = usePopup({ client, lang, url }, (outcome) => {
    if (outcome.result !== 'success') return showFailure(uuid, outcome);
    setGranted(true);
  });
  useEffect(() => {
    if (!authorized || !current) return;
    // Polling may be faster than the report of the popup, which nobody would receive after this view.
    popup.close();
    redirect(current);
  }, [authorized]);
  const back = session.preselection.connection_uuid ? null : ({ view: 'connection', uuid } as const);
  if (problem)
    return (
      <Page title={messages.overview.title} back={back}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data) return <Loading />;
  return (
    <Page
      title={texts.title(data.name)}
      lead={<p>{texts.text(data.name)}</p>}
      back={back}
      logo={<Logo url={data.logo_url} size={52} />}
    >
      {url ? (
        <p className="actions">
          <a
            className="action primary"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={(event) => {
              if (popup.open()) event.preventDefault();
            }}
          >
            {texts.open(data.name)} <External />
            <span className="visually-hidden">({texts.newWindow})</span>
          </a>
        </p>
      ) : null}
      <p role="status" className="fetch-line">
        <span className="spinner" aria-hidden="true" />
        <span>{texts.waiting}</span>
      </p>
    </Page>
  );
}

/** While the user is at the provider, only a granted authorization changes the connection. */
function isAuthorized(before: Connection | null, now: Connection | null): boolean {
  if (!before || !now || now.reason?.action === 'AUTHORIZE') return false;
  return before.reason?.action === 'AUTHORIZE' || now.updated_at !== before.updated_at;
}
