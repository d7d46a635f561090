import { explainConnection, listIntegrations } from '@docfetch/sdk';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { useFlash } from '../../../../ui/src/components/flash-message';
import { lazy } from '../../../../ui/src/components/lazy';
import { Badge } from '../../components/badge';
import { Page } from '../../components/page';
import { type Tab, Tabs, useTab } from '../../components/tabs';
import { useData } from '../../components/use-data';
import { useLiveData } from '../../components/use-live-data';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import { HEALTH_TONES, STATUS_TONES } from '../connections/connection-states';
import { useConnectionMessages } from '../connections/messages/use-connection-messages';
import type { ViewProps } from '../views';
import { ConnectionActions } from './connection-actions';
import { ConnectionFacts } from './connection-facts';
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
  const { data: integrations } = useData(async () => (await listIntegrations({ client })).data, 'integrations');
  const integration = integrations?.find(({ integration_id }) => integration_id === connection?.integration_id);
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
      <Explanation connection={connection} />
      <div className="side-by-side">
        <ConnectionFacts connection={connection} integrationName={integration?.name} />
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
