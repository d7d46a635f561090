import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import type { Root } from 'react-dom/client';
import { I18nProvider } from 'react-aria-components';
import { answerRequests } from '../../api/client';
import type { Messages } from '../../messages/en';
import { type Lang, LOCALES } from '../../messages/date-format';
import { browserLang, loadMessages } from '../../messages/load-messages';
import { LanguageContext } from '../../messages/use-messages';
import { applyTheme } from '../apply-theme';
import { forceScheme } from './force-scheme';
import { leaveFocus } from './leave-focus';
import { PreviewExpired } from './preview-expired';
import { PreviewPage } from './preview-page';
import { PreviewView } from './preview-view';
import { readPreview, schemeOf } from './read-preview';
import { answerWithSamples } from './sample/answer-with-samples';
import './preview.css';

/** Renders the preview of a theme, or one of its views in a frame. */
export function startPreview(root: Root, query: URLSearchParams): void {
  const preview = readPreview(query);
  const scheme = schemeOf(query);
  if (scheme) {
    forceScheme(scheme);
    leaveFocus();
    answerRequests(answerWithSamples);
  }
  applyTheme(preview?.theme.primary_color ?? null, scheme);
  const content = () => {
    if (!preview) return <PreviewExpired />;
    return scheme ? <PreviewView theme={preview.theme} /> : <PreviewPage preview={preview} />;
  };
  const given = query.get('lang');
  root.render(<InLanguage initial={given === 'de' || given === 'en' ? given : browserLang()}>{content()}</InLanguage>);
}

function InLanguage({ initial, children }: { readonly initial: Lang; readonly children: ReactNode }) {
  const [language, setLanguage] = useState<{ lang: Lang; messages: Messages } | null>(null);
  const changeLanguage = useCallback(async (lang: Lang) => {
    const messages = await loadMessages(lang);
    document.documentElement.lang = lang;
    setLanguage({ lang, messages });
  }, []);
  useEffect(() => void changeLanguage(initial), [initial, changeLanguage]);
  const context = useMemo(
    () => language && { ...language, changeLanguage: (lang: Lang) => void changeLanguage(lang) },
    [language, changeLanguage],
  );
  if (!context) return null;
  return (
    <LanguageContext value={context}>
      <I18nProvider locale={LOCALES[context.lang]}>{children}</I18nProvider>
    </LanguageContext>
  );
}
