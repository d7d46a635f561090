import type { Connection } from '@docfetch/sdk';
import { flash } from '../components/flash-message';
import { navigate } from '../route';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';
import { redirectAfterAuthorization } from './authorization-redirect';

/** Continues with a connection that has just been authorized. */
export function useAuthorizationRedirect(): (connection: Connection) => void {
  const { messages } = useMessages();
  const { recordSuccess } = useSession();
  return (connection) => {
    const { route, action, unfinished, recovered } = redirectAfterAuthorization(connection);
    recordSuccess(action, connection.uuid, unfinished);
    if (recovered) flash(messages.edit.recovered);
    navigate(route, 'replace');
  };
}
