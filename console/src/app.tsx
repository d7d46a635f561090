import { type ConsoleSession, getConsoleSession, openConsoleSession } from '@docfetch/sdk';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { problemOf } from '../../ui/src/api/problem';
import { Loading } from '../../ui/src/components/loading';
import { type Lang, LOCALES } from '../../ui/src/messages/date-format';
import type { Messages } from '../../ui/src/messages/en';
import { LanguageContext, loadMessages } from '../../ui/src/messages/use-messages';
import { applyTheme } from '../../ui/src/theme/apply-theme';
import { forgetLeft } from './list/live-list';
import { consoleMessages } from './messages/use-console-messages';
import { clientFor } from './session/client';
import { type SignedOut, SignInPage } from './session/sign-in-page';
import { storedLanguage, storeLanguage } from './session/stored-language';
import { Shell } from './shell/shell';

/** Signs in, and renders the console in the language of the person. */
export function App({ link }: { readonly link: string | null }) {
  const [language, setLanguage] = useState<{ lang: Lang; messages: Messages } | null>(null);
  const [session, setSession] = useState<ConsoleSession | null>(null);
  const [signedOut, setSignedOut] = useState<SignedOut | null>(null);

  const changeLanguage = useCallback(async (lang: Lang) => {
    const messages = await loadMessages(lang);
    document.documentElement.lang = lang;
    setLanguage({ lang, messages: withConsoleTexts(messages, lang) });
  }, []);

  const start = useCallback(async () => {
    setSignedOut(null);
    const client = clientFor(null, null, storedLanguage());
    try {
      setSession(link && !used.has(link) ? await redeem(link) : (await getConsoleSession({ client })).data);
    } catch (error) {
      const problem = problemOf(error);
      if (link && problem.kind !== 'network') setSignedOut({ kind: 'link-invalid' });
      else setSignedOut(problem.kind === 'invalid-token' ? { kind: 'new' } : { kind: 'problem', problem });
    }
  }, [link]);

  useEffect(() => {
    applyTheme(null);
    void changeLanguage(storedLanguage());
    void start();
  }, [changeLanguage, start]);

  const context = useMemo(
    () =>
      language && {
        ...language,
        changeLanguage: (lang: Lang) => {
          storeLanguage(lang);
          void changeLanguage(lang);
        },
      },
    [language, changeLanguage],
  );
  if (!context) return null;
  const open = (opened: ConsoleSession) => {
    setSession(opened);
    setSignedOut(null);
  };
  return (
    <LanguageContext value={context}>
      <I18nProvider locale={LOCALES[context.lang]}>
        {session ? (
          <Shell
            key={`${session.role} ${session.environment_uuid}`}
            session={session}
            onOpen={open}
            onSignOut={() => {
              forgetLeft();
              setSession(null);
              setSignedOut({ kind: 'signed-out' });
            }}
          />
        ) : signedOut ? (
          <SignInPage reason={signedOut} onOpen={open} retry={() => void start()} />
        ) : (
          <main>
            <Loading text={consoleMessages(context.lang).signIn.opening} />
          </main>
        )}
      </I18nProvider>
    </LanguageContext>
  );
}

/** A link works once, also when the effect of the component runs twice. */
const used = new Set<string>();

async function redeem(link: string): Promise<ConsoleSession> {
  used.add(link);
  const client = clientFor(null, null, storedLanguage());
  return (await openConsoleSession({ client, body: { link } })).data;
}

/** The texts of shared components, in the words of the console. */
function withConsoleTexts(messages: Messages, lang: Lang): Messages {
  return { ...messages, problem: { ...messages.problem, ...consoleMessages(lang).problem } };
}
