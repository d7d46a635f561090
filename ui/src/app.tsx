import { type Docfetch, getUiSession, type UiSession } from '@docfetch/sdk';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { clientFor } from './api/client';
import { integration, integrations } from './api/integrations';
import { type Problem, problemOf } from './api/problem';
import { Farewell } from './session/farewell';
import { EndedContext } from './session/ended';
import { SessionFrame } from './session/session-frame';
import { type Arrival, type Claims, plainReturnUrl } from './session/token';
import { expectFirstView } from './views/views';
import { applyTheme } from './theme/apply-theme';
import type { Words } from './words/en';
import { type Lang, LOCALES } from './words/moments';
import { browserLang, LanguageContext, loadWords } from './words/use-words';

/** The session from its beginning to its end, in the reader's language. */
export function App({ arrival }: { arrival: Arrival }) {
  const [language, setLanguage] = useState<{ lang: Lang; words: Words } | null>(null);
  const [session, setSession] = useState<UiSession | null>(null);
  const [end, setEnd] = useState<Problem | 'no-session' | null>(arrival.token ? null : 'no-session');
  const [returnUrl, setReturnUrl] = useState<string | null>(() => plainReturnUrl(arrival.claims));
  const { token, claims } = arrival;

  const change = useCallback(async (lang: Lang) => {
    const words = await loadWords(lang);
    document.documentElement.lang = lang;
    setLanguage({ lang, words });
  }, []);

  const begin = useCallback(async () => {
    setEnd(null);
    try {
      const lang = langOf(claims);
      const client = clientFor(token!, lang);
      const expected = Promise.all([getUiSession({ client }), loadWords(lang), expectFirstView(arrival)]);
      askAhead(client, claims);
      const [{ data }] = await expected;
      askAhead(client, data.preselection);
      applyTheme(data.theme.primary_color);
      await change(data.lang);
      setSession(data);
    } catch (error) {
      await change(langOf(claims));
      setEnd(problemOf(error));
    }
  }, [arrival, token, claims, change]);

  useEffect(() => {
    applyTheme(null);
    if (token) void begin();
    else void change(browserLang());
  }, [token, begin, change]);

  const ended = useCallback((problem: Problem) => {
    const over = problem.kind === 'expired' || problem.kind === 'invalid-token';
    if (over) setEnd(problem);
    return over;
  }, []);

  const context = useMemo(
    () => language && { ...language, change: (lang: Lang) => void change(lang) },
    [language, change],
  );
  if (!context) return null;
  return (
    <LanguageContext value={context}>
      <I18nProvider locale={LOCALES[context.lang]}>
        <EndedContext value={ended}>
          {end ? (
            <Farewell
              end={end}
              authorization={arrival.ended}
              theme={session?.theme ?? null}
              returnUrl={returnUrl}
              retry={() => void begin()}
            />
          ) : session && token ? (
            <SessionFrame token={token} session={session} arrival={arrival} keepReturnUrl={setReturnUrl} />
          ) : null}
        </EndedContext>
      </I18nProvider>
    </LanguageContext>
  );
}

/** The language to begin with: that of the client, else of the browser. The session has the last word. */
const langOf = ({ lang }: Claims): Lang => (lang === 'en' || lang === 'de' ? lang : browserLang());

/** What the first view will ask for: the service need not be waited for twice. What goes wrong is said when it is needed. */
function askAhead(
  client: Docfetch,
  { integration_id: id, connection_uuid: uuid }: { integration_id?: string | null; connection_uuid?: string | null },
): void {
  if (id) void integration(client, id).catch(() => undefined);
  else if (!uuid) void integrations(client).catch(() => undefined);
}
