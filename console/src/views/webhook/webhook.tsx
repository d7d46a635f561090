import { getWebhook, type Webhook } from '@docfetch/sdk';
import { useState } from 'react';
import { type FlashMessage, useFlash } from '../../../../ui/src/components/flash-message';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { Loading } from '../../../../ui/src/components/loading';
import { Notice, ProblemNotice } from '../../../../ui/src/components/notice';
import { ConsoleLink } from '../../components/console-link';
import { Copyable } from '../../components/copyable';
import { DescriptionList } from '../../components/description-list';
import { Moment } from '../../components/moment';
import { Page, Section } from '../../components/page';
import { useLiveData } from '../../components/use-live-data';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { useWebhookMessages } from '../webhooks/messages/use-webhook-messages';
import { WebhookState } from '../webhooks/webhook-state';
import { WebhookActions } from './webhook-actions';
import { WebhookDeliveries } from './webhook-deliveries';

/** One webhook with everything that was sent to it. */
export function WebhookView({ params: { uuid } }: ViewProps) {
  const messages = useWebhookMessages();
  const { client } = useConsole();
  const [message, setMessage] = useFlash();
  const [changes, setChanges] = useState(0);
  const { data, problem, reload } = useLiveData(
    async () => (await getWebhook({ client, path: { uuid: uuid! } })).data,
    uuid!,
  );
  const back = { href: hrefOf('webhooks'), text: messages.back };
  if (!data) {
    return (
      <Page title={messages.webhook} back={back}>
        {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : <Loading />}
      </Page>
    );
  }
  const done = (text: FlashMessage) => {
    setMessage(text);
    setChanges(changes + 1);
    void reload();
  };
  return (
    <Page
      key="loaded"
      title={data.url}
      back={back}
      badge={<WebhookState webhook={data} />}
      actions={<WebhookActions webhook={data} onDone={done} />}
    >
      <LiveRegion message={message} />
      {data.disabled_reason === 'FAILING' ? (
        <Notice tone="warning">
          <p>{messages.failingText}</p>
        </Notice>
      ) : null}
      <WebhookDetails webhook={data} />
      <Section title={messages.deliveries}>
        <WebhookDeliveries uuid={uuid!} changes={changes} />
      </Section>
    </Page>
  );
}

function WebhookDetails({ webhook }: { readonly webhook: Webhook }) {
  const messages = useWebhookMessages();
  const { connection_uuid: connection } = webhook;
  return (
    <Section title={messages.webhook}>
      <DescriptionList
        rows={[
          [
            messages.events,
            <ul className="code-list" key="events">
              {webhook.events.map((type) => (
                <li key={type}>
                  <code>{type}</code> <span className="soft">{messages.eventHelp[type]}</span>
                </li>
              ))}
            </ul>,
          ],
          [
            messages.scope,
            connection ? (
              <ConsoleLink href={hrefOf(`connections/${connection}`)}>{messages.oneConnection}</ConsoleLink>
            ) : (
              messages.wholeEnvironment
            ),
          ],
          [messages.created, <Moment key="created" at={webhook.created_at} inline />],
          [messages.updated, <Moment key="updated" at={webhook.updated_at} inline />],
          ['UUID', <Copyable key="uuid" text={webhook.uuid} label="UUID" />],
        ]}
      />
    </Section>
  );
}
