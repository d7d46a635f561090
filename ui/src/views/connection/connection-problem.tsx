import { type Connection, updateConnection } from '@docfetch/sdk';
import { nextStep } from '../../api/next-step';
import { useMutation } from '../../api/use-mutation';
import { startAuthorization } from '../../authorize/start-authorization';
import { Action, RouteLink } from '../../components/action';
import { Breakable } from '../../components/breakable';
import { Notice, ProblemNotice } from '../../components/notice';
import { formatDateTime } from '../../messages/date-format';
import { useMessages } from '../../messages/use-messages';
import { navigate } from '../../route';
import { useSession } from '../../session/session';

interface ConnectionProblemProps {
  readonly connection: Connection;
  readonly integrationName: string;
  /** Set for a problem that has just been found, which screen readers announce. */
  readonly title?: string;
  /** That the user has just denied access: shown instead of the sentence of the service. */
  readonly denial?: string;
}

/** The reason why a connection needs attention, and the action that fixes it. */
export function ConnectionProblem({ connection, integrationName, title, denial }: ConnectionProblemProps) {
  const { messages, lang } = useMessages();
  const { client, recordSuccess } = useSession();
  const { mutate, busy, problem } = useMutation();
  const { reason, status, uuid } = connection;
  if (!reason || status === 'DISABLED') return null;
  const step = nextStep(connection, messages.action);
  const authorize = async () => {
    const renewed = await mutate(() => updateConnection({ client, path: { uuid }, body: { fields: {} } }));
    if (!renewed) return;
    const url = renewed.data?.data.authorization_url;
    if (url) return startAuthorization(url, uuid);
    // The provider accepts the authorization as it is: the next fetch shows whether the problem is over.
    recordSuccess('updated', uuid);
    navigate({ view: 'recovery', uuid });
  };
  return (
    <Notice
      tone={reason.action === 'WAIT' ? 'info' : 'warning'}
      title={title}
      role={title ? 'alert' : denial ? 'status' : undefined}
    >
      <p>
        <Breakable>{denial ?? reason.message}</Breakable>
      </p>
      {denial ? null : (
        <p className="about">{messages.fetched.since(formatDateTime(reason.since, lang, messages.when))}</p>
      )}
      {problem ? <ProblemNotice problem={problem} /> : null}
      {step && typeof step.to === 'object' ? (
        <p className="notice-actions">
          <RouteLink to={step.to} variant="primary">
            {step.label}
          </RouteLink>
        </p>
      ) : null}
      {step?.to === 'authorize' ? (
        <p className="notice-actions">
          <Action variant="primary" busy={busy} onPress={() => void authorize()}>
            {messages.connect.authorize(integrationName)}
          </Action>
        </p>
      ) : null}
    </Notice>
  );
}
