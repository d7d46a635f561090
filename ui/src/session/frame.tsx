import type { UiTheme } from '@docfetch/sdk';
import { Button } from 'react-aria-components';
import { useState } from 'react';
import { useWords } from '../words/use-words';

/** What is around every view: whose page it is, and its language. */
export function Frame({
  theme,
  children,
  aside,
}: {
  theme: UiTheme | null;
  children: React.ReactNode;
  aside?: React.ReactNode;
}) {
  const { words, lang, change } = useWords();
  const [broken, setBroken] = useState(false);
  const other = lang === 'de' ? 'en' : 'de';
  const name = theme?.name ?? null;
  return (
    <div className="frame">
      <header className="frame-head">
        <div className="brand">
          {theme?.logo_url && !broken ? (
            <img src={theme.logo_url} alt={name ?? ''} className="brand-logo" onError={() => setBroken(true)} />
          ) : null}
          {name && (broken || !theme?.logo_url) ? <span className="brand-name">{name}</span> : null}
        </div>
        {aside}
      </header>
      <main>{children}</main>
      <footer className="frame-foot">
        <Button className="action quiet" aria-label={words.languageSwitch} onPress={() => change(other)}>
          <span lang={other}>{words.otherLanguage}</span>
        </Button>
      </footer>
    </div>
  );
}
