import { getUiSession, type UiSession } from '@docfetch/sdk';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { clientFor } from './api/client';
import { type Problem, problemOf, UNREACHABLE } from './api/problem';
import { SessionEnded } from './session/session-ended';
import { SessionEndContext } from './session/session-end-context';
import { CONNECT_MODE } from './session/connect-mode';
import type { PageLink } from './session/page-link';
import { SessionLayout } from './session/session-layout';
import { initialLanguage, type SessionStart, unsignedReturnUrl } from './session/session-start';
import type { TokenClaims } from './session/token-claims';
import { endTabSession, keepInTab, writeTab } from './session/tab-state';
import { lazy } from './components/lazy';
import { preloadFirstView } from './views/view-router';
import { applyTheme } from './theme/apply-theme';
import type { Messages } from './messages/en';
import { type Lang, LOCALES } from './messages/date-format';
import { loadMessages } from './messages/load-messages';
import { LanguageContext } from './messages/use-messages';

const PopupPage = lazy(() => import('./authorize/popup-page').then(({ PopupPage: component }) => component));

/** Loads the session and renders it, or its end, in the user's language. */
export function App({ sessionStart }: { sessionStart: SessionStart }) {
  const [language, setLanguage] = useState<{ lang: Lang; messages: Messages } | null>(null);
  const [session, setSession] = useState<UiSession | null>(null);
  const [end, setEnd] = useState<Problem | 'no-session' | null>(
    sessionStart.token ? null : sessionStart.end === 'unreachable' ? UNREACHABLE : (sessionStart.end ?? 'no-session'),
  );
  const [returnUrl, setReturnUrl] = useState<string | null>(() => unsignedReturnUrl(sessionStart.claims));
  const [page, setPage] = useState<PageLink | null>(null);
  const { token, claims, restored } = sessionStart;

  const changeLanguage = useCallback(async (lang: Lang) => {
    const messages = await loadMessages(lang);
    document.documentElement.lang = lang;
    setLanguage({ lang, messages });
  }, []);

  const startSession = useCallback(async () => {
    setEnd(null);
    try {
      const lang = initialLanguage(claims);
      const client = clientFor(token!, lang);
      const [{ data }] = await Promise.all([
        getUiSession({ client }),
        loadMessages(lang),
        preloadFirstView(sessionStart),
      ]);
      applyTheme(data.theme.primary_color);
      const shown = restored ? lang : data.lang;
      await changeLanguage(shown);
      // The drop-in brings its own way back; `PageLink` is loaded only for it.
      if (CONNECT_MODE === null) rememberSession(claims, shown, data, restored);
      else setPage((await import('./session/page-link')).PageLink.open(data));
      setSession(data);
    } catch (error) {
      await changeLanguage(initialLanguage(claims));
      setEnd(problemOf(error));
    }
  }, [sessionStart, token, claims, restored, changeLanguage]);

  useEffect(() => {
    applyTheme(null);
    if (token) void startSession();
    else void changeLanguage(initialLanguage(claims));
  }, [token, claims, startSession, changeLanguage]);

  const handleSessionEnd = useCallback((problem: Problem) => {
    const ended = problem.kind === 'expired' || problem.kind === 'invalid-token';
    if (ended) {
      endTabSession();
      setEnd(problem);
    }
    return ended;
  }, []);

  const context = useMemo(
    () =>
      language && {
        ...language,
        changeLanguage: (lang: Lang) => void changeLanguage(lang).then(() => keepInTab({ lang })),
      },
    [language, changeLanguage],
  );
  if (!context) return null;
  return (
    <LanguageContext value={context}>
      <I18nProvider locale={LOCALES[context.lang]}>
        <SessionEndContext value={handleSessionEnd}>
          {sessionStart.isPopup ? (
            <PopupPage />
          ) : end ? (
            <SessionEnded
              end={end}
              authorization={sessionStart.externalAuthorization}
              theme={session?.theme ?? null}
              returnUrl={returnUrl}
              page={page}
              retry={() => (token ? void startSession() : location.reload())}
            />
          ) : session && token ? (
            <SessionLayout
              token={token}
              session={session}
              sessionStart={sessionStart}
              page={page}
              storeReturnUrl={setReturnUrl}
            />
          ) : null}
        </SessionEndContext>
      </I18nProvider>
    </LanguageContext>
  );
}

/** Remembers in the tab how a reload restores the session, or at least leads back to the client. */
function rememberSession(
  { return_url }: TokenClaims,
  lang: Lang,
  { reload_reference: reference, theme }: UiSession,
  restored: SessionStart['restored'],
): void {
  writeTab({ ...restored, return_url, lang, reference });
  // The security policy of the reloaded page allows the logo of this environment.
  if (reference && theme.logo_url)
    history.replaceState(null, '', `${location.pathname}?theme=${reference.split('.')[0]!}${location.hash}`);
}
