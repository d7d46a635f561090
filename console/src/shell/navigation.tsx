import { useEffect, useRef } from 'react';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { ConsoleLink } from '../components/console-link';
import { useConsoleMessages } from '../messages/use-console-messages';
import { hrefOf, useAddress } from '../route';
import { useConsole } from '../session/console-session';
import { GROUPS, VIEWS } from '../views/views';

/** The views, in groups. On narrow screens it is closed until the menu button opens it. */
export function Navigation({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const messages = useConsoleMessages();
  const { lang } = useMessages();
  const { role } = useConsole();
  const { path } = useAddress();
  const nav = useRef<HTMLElement>(null);
  const current = path[0] ?? '';
  useEffect(() => {
    if (isOpen) nav.current?.querySelector('a')?.focus();
  }, [isOpen]);
  const close = () => {
    onClose();
    document.getElementById('menu-button')?.focus();
  };
  return (
    <nav
      ref={nav}
      id="navigation"
      className={isOpen ? 'navigation open' : 'navigation'}
      aria-label={messages.navigation}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) close();
      }}
      onClick={(event) => {
        if (!(event.target instanceof Element && event.target.closest('a'))) return;
        // The link disappears with the menu, also when it is that of the current view.
        if (isOpen) document.querySelector('h1')?.focus();
        onClose();
      }}
    >
      {GROUPS.map((group) => {
        const entries = VIEWS.filter(
          (view) => view.nav?.group === group && (view.role === undefined || view.role === role),
        );
        if (entries.length === 0) return null;
        const title = group === 'home' ? null : messages.group[group];
        return (
          <div key={group} className="nav-group">
            {title ? (
              <p className="nav-title" id={`nav-${group}`}>
                {title}
              </p>
            ) : null}
            <ul aria-labelledby={title ? `nav-${group}` : undefined}>
              {entries.map(({ path: to, nav: entry }) => (
                <li key={to}>
                  <ConsoleLink href={hrefOf(to)} current={current === to} className="nav-link">
                    {entry![lang]}
                  </ConsoleLink>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
