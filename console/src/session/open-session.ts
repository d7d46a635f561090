import { type ConsoleSession, getConsoleSession, openConsoleSession } from '@docfetch/sdk';
import { type Problem, problemOf } from '../../../ui/src/api/problem';
import { clientFor } from './client';
import { storedLanguage } from './stored-language';

/** Why nobody is signed in. */
export type SignedOut =
  | { readonly kind: 'new' | 'signed-out' }
  | {
      readonly kind: 'link-invalid';
      /** The session that this browser had before. */
      readonly session: ConsoleSession | null;
    }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Opens a session with a link; without one, continues that of the browser. */
export async function openSession(link: string | null): Promise<ConsoleSession | SignedOut> {
  const client = clientFor(null, null, storedLanguage());
  try {
    if (link) return (await openConsoleSession({ client, body: { link } })).data;
    return (await getConsoleSession({ client })).data;
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === 'INVALID_CONSOLE_LINK') return { kind: 'link-invalid', session: await currentSession() };
    return problem.kind === 'invalid-token' ? { kind: 'new' } : { kind: 'problem', problem };
  }
}

/** The session of the browser, if any. Errors are ignored: the invalid link is the one that is shown. */
async function currentSession(): Promise<ConsoleSession | null> {
  try {
    return (await getConsoleSession({ client: clientFor(null, null, storedLanguage()) })).data;
  } catch {
    return null;
  }
}
