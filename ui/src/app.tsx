import { createDocfetch, getUiSession, type UiSession } from '@docfetch/sdk';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { type Problem, problemOf } from './api/problem';
import { Farewell } from './session/farewell';
import { EndedContext } from './session/ended';
import { SessionFrame } from './session/session-frame';
import { type Arrival, plainReturnUrl } from './session/token';
import { applyTheme } from './theme/apply-theme';
import type { Words } from './words/en';
import { type Lang, LOCALES } from './words/moments';
import { browserLang, LanguageContext, loadWords } from './words/use-words';

/** The session from its beginning to its end, in the reader's language. */
export function App({ arrival }: { arrival: Arrival }) {
  const [language, setLanguage] = useState<{ lang: Lang; words: Words } | null>(null);
  const [session, setSession] = useState<UiSession | null>(null);
  const [end, setEnd] = useState<Problem | 'no-session' | null>(arrival.token ? null : 'no-session');
  const [returnUrl, setReturnUrl] = useState<string | null>(() => plainReturnUrl(arrival.token));
  const { token } = arrival;

  const change = useCallback(async (lang: Lang) => {
    const words = await loadWords(lang);
    document.documentElement.lang = lang;
    setLanguage({ lang, words });
  }, []);

  const begin = useCallback(async () => {
    setEnd(null);
    try {
      const client = createDocfetch({ baseUrl: location.origin, token: token! });
      const { data } = await getUiSession({ client });
      applyTheme(data.theme.primary_color);
      await change(data.lang);
      setSession(data);
    } catch (error) {
      await change(browserLang());
      setEnd(problemOf(error));
    }
  }, [token, change]);

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
