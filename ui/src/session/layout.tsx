import type { UiTheme } from '@docfetch/sdk';
import { useState } from 'react';
import { LanguageSwitch } from './language-switch';

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
  const [broken, setBroken] = useState(false);
  const name = theme?.name;
  const logo = broken ? null : theme?.logo_url;
  return (
    <div className="layout">
      <header className="layout-head">
        <div className="brand">
          {logo ? (
            <img src={logo} alt={name ?? ''} className="brand-logo" onError={() => setBroken(true)} />
          ) : name ? (
            <span className="brand-name">{name}</span>
          ) : null}
        </div>
        {aside}
      </header>
      <main>{children}</main>
      <footer className="layout-foot">
        <LanguageSwitch />
      </footer>
    </div>
  );
}
