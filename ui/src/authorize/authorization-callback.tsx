import { getConnection } from '@docfetch/sdk';
import { useEffect } from 'react';
import { useQuery } from '../api/use-query';
import { Loading } from '../components/loading';
import { ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { useSession } from '../session/session';
import type { SessionStart } from '../session/session-start';
import { useMessages } from '../messages/use-messages';
import { useAuthorizationFailure, useAuthorizationRedirect } from './use-authorization-redirect';

/** Handles the return from a provider: shows the result and redirects to the next view. */
export function AuthorizationCallback({
  resumed: { connection: uuid, result, code },
  onDone,
}: {
  resumed: NonNullable<SessionStart['resumed']>;
  onDone: () => void;
}) {
  const { messages } = useMessages();
  const { client } = useSession();
  const redirect = useAuthorizationRedirect();
  const showFailure = useAuthorizationFailure();
  const { data, problem, reload } = useQuery(async () => (await getConnection({ client, path: { uuid } })).data, uuid);
  useEffect(() => {
    if (!data) return;
    if (result === 'success') redirect(data);
    else showFailure(uuid, { result, code });
    onDone();
  }, [data]);
  if (problem)
    return (
      <Page title={messages.overview.title}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  return <Loading />;
}
