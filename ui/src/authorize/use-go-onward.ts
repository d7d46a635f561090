import type { Connection } from '@docfetch/sdk';
import { flash } from '../parts/flash';
import { go } from '../route';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import { onward } from './onward';

/** Goes on with a connection that has just been authorised. */
export function useGoOnward(): (connection: Connection) => void {
  const { words } = useWords();
  const { achieved } = useSession();
  return (connection) => {
    const { route, action, unfinished, mended } = onward(connection);
    achieved(action, connection.uuid, unfinished);
    if (mended) flash(words.edit.mended);
    go(route, 'replace');
  };
}
