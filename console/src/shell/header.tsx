import { Button } from 'react-aria-components';
import { Action } from '../../../ui/src/components/action';
import { lazy } from '../../../ui/src/components/lazy';
import { MenuIcon } from '../components/icons';
import { ConsoleLink } from '../components/console-link';
import { useConsoleMessages } from '../messages/use-console-messages';
import { hrefOf } from '../route';
import { useConsole } from '../session/console-session';
import { LanguageSwitch } from '../../../ui/src/session/language-switch';

/** Only the support team changes the environment. */
const EnvironmentSwitcher = lazy(
  () => import('./environment-switcher').then(({ EnvironmentSwitcher: component }) => component),
  () => null,
);

/** Who is signed in, and for which environment. */
export function Header({
  isMenuOpen,
  onMenu,
  onSignOut,
}: {
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
  readonly onSignOut: () => void;
}) {
  const messages = useConsoleMessages();
  const { environment, role } = useConsole();
  return (
    <header className="top">
      <Button
        className="action quiet menu-button"
        id="menu-button"
        aria-expanded={isMenuOpen}
        aria-controls="navigation"
        onPress={onMenu}
      >
        <MenuIcon /> {messages.menu}
      </Button>
      <ConsoleLink href={hrefOf('')} className="product">
        {messages.name}
      </ConsoleLink>
      <div className="top-environment">
        {environment ? (
          <>
            <span className="environment-name">
              <span className="visually-hidden">{messages.environment.label}: </span>
              {environment.client_name} · {environment.name}
            </span>
            <span className={`tag ${environment.kind === 'LIVE' ? 'strong' : ''}`}>
              {messages.kind[environment.kind]}
            </span>
          </>
        ) : null}
        {role === 'SUPPORT' ? <EnvironmentSwitcher /> : null}
      </div>
      <div className="top-person">
        <span className="role">{messages.role[role]}</span>
        <LanguageSwitch />
        <Action variant="quiet" onPress={onSignOut}>
          {messages.signOut}
        </Action>
      </div>
    </header>
  );
}
