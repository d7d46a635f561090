import type { UiTheme } from '@docfetch/sdk';
import { Button } from 'react-aria-components';
import { useState } from 'react';
import { useMessages } from '../messages/use-messages';

/** Header and footer of every page: the name and logo of the client, and the language switch. */
export function Layout({
  theme,
  children,
  aside,
}: {
  theme: UiTheme | null;
  children: React.ReactNode;
  aside?: React.ReactNode;
}) {
  const { messages, lang, changeLanguage } = useMessages();
  const [broken, setBroken] = useState(false);
  const other = lang === 'de' ? 'en' : 'de';
  const name = theme?.name ?? null;
  return (
    <div className="layout">
      <header className="layout-head">
        <div className="brand">
          {theme?.logo_url && !broken ? (
            <img src={theme.logo_url} alt={name ?? ''} className="brand-logo" onError={() => setBroken(true)} />
          ) : null}
          {name && (broken || !theme?.logo_url) ? <span className="brand-name">{name}</span> : null}
        </div>
        {aside}
      </header>
      <main>{children}</main>
      <footer className="layout-foot">
        <Button className="action quiet" aria-label={messages.languageSwitch} onPress={() => changeLanguage(other)}>
          <span lang={other}>{messages.otherLanguage}</span>
        </Button>
      </footer>
    </div>
  );
}
