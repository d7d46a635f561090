import { loadMessages } from '../messages/load-messages';
import { initialLanguage, readSessionStart, type SessionStart } from '../session/session-start';
import { requestFirstData } from './early-requests';
import { firstView, VIEW_FILES } from './view-files';

/**
 * The session that the page was opened with; null for a preview. This file runs before the application, which is thirty times as large:
 * it removes the token from the address bar, and requests what the first view needs while the application is loaded.
 */
export const started: Promise<SessionStart> | null = new URLSearchParams(location.search).has('preview')
  ? null
  : start();

async function start(): Promise<SessionStart> {
  const sessionStart = await readSessionStart();
  if (sessionStart.token) {
    const lang = initialLanguage(sessionStart.claims);
    requestFirstData(sessionStart, lang);
    // The application loads them again if they fail.
    for (const file of [loadMessages(lang), VIEW_FILES[firstView(sessionStart)]()]) file.catch(() => undefined);
  }
  return sessionStart;
}
