import type { ManagedEnvironment } from '@docfetch/sdk';
import { successMessage, useFlash } from '../../../../ui/src/components/flash-message';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { Copyable } from '../../components/copyable';
import { DescriptionList } from '../../components/description-list';
import { Moment } from '../../components/moment';
import { Page, Section } from '../../components/page';
import { type Tab, Tabs, useTab } from '../../components/tabs';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { useEnvironmentViewMessages } from './messages/use-environment-view-messages';
import { GeneralSettings } from './parts/general-settings';
import { Provisioning } from './parts/provisioning';
import { SigningSecret } from './parts/signing-secret';
import { useManagedEnvironment } from './use-managed-environment';

/** The settings of an environment that the support team can change. */
export function EnvironmentView(_: ViewProps) {
  const messages = useEnvironmentViewMessages();
  const { reloadEnvironment } = useConsole();
  const [message, setMessage] = useFlash();
  const { data, problem, reload } = useManagedEnvironment();
  const tabs: Tab[] = (['general', 'provisioning', 'signing'] as const).map((id) => ({ id, label: messages.tabs[id] }));
  const tab = useTab(tabs);
  const saved = () => {
    setMessage(successMessage(messages.saved));
    void reload();
    reloadEnvironment();
  };
  const part = { onSaved: saved, onReload: () => void reload() };
  return (
    <Page title={messages.title}>
      <LiveRegion message={message} />
      {data ? (
        <>
          <Overview environment={data} />
          <Tabs label={messages.parts} tabs={tabs} />
          <div key={tab} className="stack">
            {tab === 'general' ? <GeneralSettings environment={data} {...part} /> : null}
            {tab === 'provisioning' ? <Provisioning environment={data} {...part} /> : null}
            {tab === 'signing' ? <SigningSecret environment={data} {...part} /> : null}
          </div>
        </>
      ) : problem ? (
        <ProblemNotice problem={problem} retry={() => void reload()} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

export interface PartProps {
  readonly environment: ManagedEnvironment;
  readonly onSaved: () => void;
  readonly onReload: () => void;
}

function Overview({ environment }: { readonly environment: ManagedEnvironment }) {
  const messages = useEnvironmentViewMessages();
  return (
    <Section title={`${environment.client_name} · ${environment.name}`}>
      <DescriptionList
        rows={[
          [messages.kind, messages.kinds[environment.kind]],
          ['UUID', <Copyable key="uuid" text={environment.environment_uuid} label="UUID" />],
          [messages.created, <Moment key="created" at={environment.created_at} inline />],
          [messages.updated, <Moment key="updated" at={environment.updated_at} inline />],
        ]}
      />
    </Section>
  );
}
