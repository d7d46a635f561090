import type { ConsoleSession } from '@docfetch/sdk';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { UNREACHABLE } from '../../ui/src/api/problem';
import { Loading } from '../../ui/src/components/loading';
import { ProblemNotice } from '../../ui/src/components/notice';
import { type Lang, LOCALES } from '../../ui/src/messages/date-format';
import type { Messages } from '../../ui/src/messages/en';
import { loadMessages } from '../../ui/src/messages/load-messages';
import { LanguageContext } from '../../ui/src/messages/use-messages';
import { applyTheme } from '../../ui/src/theme/apply-theme';
import { forgetPlaces } from './list/live-list';
import { consoleMessages } from './messages/use-console-messages';
import { hrefOf, navigate } from './route';
import { onLinkOpened } from './session/link';
import { openSession, type SignedOut } from './session/open-session';
import { SignInPage } from './session/sign-in-page';
import { storedLanguage, storeLanguage } from './session/stored-language';
import { LoadFailed } from './shell/load-failed';
import { Shell } from './shell/shell';

/** Signs in, and renders the console in the language of the person. */
export function App({ link: firstLink }: { readonly link: string | null }) {
  const { context, failed } = useLanguage();
  const [link, setLink] = useState({ value: firstLink });
  const [session, setSession] = useState<ConsoleSession | null>(null);
  const [signedOut, setSignedOut] = useState<SignedOut | null>(null);
  const shown = useRef<ConsoleSession | null>(null);

  const open = useCallback((opened: ConsoleSession) => {
    if (opened.session_uuid !== shown.current?.session_uuid) forgetPlaces();
    shown.current = opened;
    setSession(opened);
    setSignedOut(null);
  }, []);

  useEffect(() => applyTheme(null), []);
  useEffect(() => onLinkOpened((value) => setLink({ value })), []);
  useEffect(() => {
    let isCurrent = true;
    setSession(null);
    setSignedOut(null);
    void openSession(link.value).then((result) => {
      if (!isCurrent) return;
      if ('kind' in result) setSignedOut(result);
      else open(result);
    });
    return () => {
      isCurrent = false;
    };
  }, [link, open]);

  const signOut = () => {
    forgetPlaces();
    shown.current = null;
    // The next user must not begin at the view of this one.
    navigate(hrefOf('', {}, null), 'replace');
    setSession(null);
    setSignedOut({ kind: 'signed-out' });
  };

  if (!context) return failed ? <LoadFailed /> : null;
  return (
    <LanguageContext value={context}>
      <I18nProvider locale={LOCALES[context.lang]}>
        {failed ? <ProblemNotice problem={UNREACHABLE} /> : null}
        {session ? (
          <Shell
            key={`${session.role} ${session.environment_uuid}`}
            session={session}
            onOpen={open}
            onSignOut={signOut}
          />
        ) : signedOut ? (
          <SignInPage reason={signedOut} onOpen={open} retry={() => setLink({ ...link })} />
        ) : (
          <main>
            <Loading text={consoleMessages(context.lang).signIn.opening} />
          </main>
        )}
      </I18nProvider>
    </LanguageContext>
  );
}

/** The chosen language; `failed` when its file could not be loaded. The one before is then still used. */
function useLanguage() {
  const [language, setLanguage] = useState<{ lang: Lang; messages: Messages } | null>(null);
  const [failed, setFailed] = useState(false);
  const changeLanguage = useCallback((lang: Lang) => {
    loadMessages(lang).then(
      (messages) => {
        document.documentElement.lang = lang;
        setFailed(false);
        setLanguage({ lang, messages: withConsoleTexts(messages, lang) });
      },
      () => setFailed(true),
    );
  }, []);
  useEffect(() => changeLanguage(storedLanguage()), [changeLanguage]);
  const context = useMemo(
    () =>
      language && {
        ...language,
        changeLanguage: (lang: Lang) => {
          storeLanguage(lang);
          changeLanguage(lang);
        },
      },
    [language, changeLanguage],
  );
  return { context, failed };
}

/** The texts of shared components, in the words of the console. */
function withConsoleTexts(messages: Messages, lang: Lang): Messages {
  return { ...messages, problem: { ...messages.problem, ...consoleMessages(lang).problem } };
}
