import { explainConnection } from '@docfetch/sdk';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { useFlash } from '../../../../ui/src/components/flash-message';
import { lazy } from '../../../../ui/src/components/lazy';
import { Badge } from '../../components/badge';
import { LoadNotice } from '../../components/load-notice';
import { Page } from '../../components/page';
import { type Tab, Tabs, useTab } from '../../components/tabs';
import { useLiveData } from '../../components/use-live-data';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import { HEALTH_TONES, STATUS_TONES } from '../connections/connection-states';
import { useConnectionMessages } from '../connections/messages/use-connection-messages';
import { useIntegrations } from '../connections/use-integrations';
import type { ViewProps } from '../views';
import { ConnectionActions } from './connection-actions';
import { ConnectionDetails } from './connection-details';
import { ConnectionDocuments } from './parts/connection-documents';
import { Explanation } from './explanation';
import { Failures } from './parts/failures';
import { Fetches } from './parts/fetches';
import { Timeline } from './parts/timeline';
import { useConnectionViewMessages } from './messages/use-connection-view-messages';

/** Only for connections of the sandbox. */
const SandboxControls = lazy(() => import('./sandbox-controls').then((it) => it.SandboxControls));

/** The state of a connection with its reason, its history, and the actions on it. */
export function Connection({ params: { uuid } }: ViewProps) {
  const messages = useConnectionViewMessages();
  const list = useConnectionMessages();
  const { client, environment } = useConsole();
  const [message, setMessage] = useFlash();
  const path = { uuid: uuid! };
  const {
    data: connection,
    problem,
    reload,
  } = useLiveData(async () => (await explainConnection({ client, path })).data, uuid!);
  const { query: integrations, nameOf } = useIntegrations();
  const tabs: Tab[] = [
    { id: 'timeline', label: messages.tabs.timeline },
    { id: 'fetches', label: messages.tabs.fetches },
    { id: 'documents', label: messages.tabs.documents },
    { id: 'failures', label: messages.tabs.failures, count: connection?.failed_documents },
  ];
  const tab = useTab(tabs);
  const back = { href: hrefOf('connections'), text: messages.back };
  if (!connection) {
    return (
      <Page title={list.connection} back={back}>
        {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : <Loading />}
      </Page>
    );
  }
  const isSandbox = environment?.kind === 'TEST' && connection.integration_id.startsWith('sandbox');
  return (
    <Page
      key="loaded"
      title={connection.name}
      back={back}
      badge={
        <>
          <Badge tone={STATUS_TONES[connection.status]}>{list.statuses[connection.status]}</Badge>
          {connection.health !== 'OK' ? (
            <Badge tone={HEALTH_TONES[connection.health]}>{list.healths[connection.health]}</Badge>
          ) : null}
        </>
      }
      actions={
        <ConnectionActions
          connection={connection}
          onDone={(done) => {
            setMessage(done);
            void reload();
          }}
        />
      }
    >
      <LiveRegion message={message} />
      <LoadNotice query={integrations} text={list.noIntegrations} />
      <Explanation connection={connection} />
      <div className="side-by-side">
        <ConnectionDetails connection={connection} integrationName={nameOf(connection.integration_id)} />
        {isSandbox ? <SandboxControls connection={connection} onDone={setMessage} /> : null}
      </div>
      <Tabs label={messages.parts} tabs={tabs} />
      {tab === 'timeline' ? <Timeline uuid={uuid!} /> : null}
      {tab === 'fetches' ? <Fetches uuid={uuid!} /> : null}
      {tab === 'documents' ? <ConnectionDocuments uuid={uuid!} /> : null}
      {tab === 'failures' ? <Failures uuid={uuid!} onDone={setMessage} /> : null}
    </Page>
  );
}
