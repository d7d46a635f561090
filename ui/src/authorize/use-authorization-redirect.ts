import type { AuthorizationResult, Connection } from '@docfetch/sdk';
import { flash } from '../components/flash-message';
import { navigate } from '../route';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';
import { redirectAfterAuthorization } from './authorization-redirect';

/** Continues with a connection that has just been authorized. */
export function useAuthorizationRedirect(): (connection: Connection) => void {
  const { recordSuccess } = useSession();
  return (connection) => {
    const { route, action, unfinished } = redirectAfterAuthorization(connection);
    recordSuccess(action, connection.uuid, unfinished);
    navigate(route, 'replace');
  };
}

/** Continues with a connection whose authorization did not succeed, and shows the reason. */
export function useAuthorizationFailure(): (
  uuid: string,
  failure: { readonly result: AuthorizationResult; readonly code: string | null },
) => void {
  const { messages } = useMessages();
  const { recordError } = useSession();
  return (uuid, { result, code }) => {
    if (result === 'error') recordError();
    const { outcome, ...texts } = messages.authorization;
    const text = code !== null && code in outcome ? outcome[code as keyof typeof outcome] : texts[result].text;
    const about = code === 'AUTHORIZATION_DENIED' ? 'denied' : undefined;
    flash({ text, tone: result === 'cancelled' ? 'info' : 'warning', about });
    navigate({ view: 'connection', uuid }, 'replace');
  };
}
