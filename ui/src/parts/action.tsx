import { Button, Link } from 'react-aria-components';
import { hrefOf, go, type Route } from '../route';
import { useWords } from '../words/use-words';

export type Weight = 'primary' | 'plain' | 'quiet' | 'danger';

interface ActionProps {
  readonly children: React.ReactNode;
  readonly onPress?: () => void;
  readonly weight?: Weight;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly type?: 'button' | 'submit';
  readonly describedBy?: string;
  readonly autoFocus?: boolean;
}

/** A button. While `busy` it says so and takes no further press, but keeps the focus. */
export function Action({
  children,
  onPress,
  weight = 'plain',
  busy = false,
  disabled = false,
  type = 'button',
  describedBy,
  autoFocus,
}: ActionProps) {
  const { words } = useWords();
  return (
    <Button
      className={`action ${weight}`}
      type={busy ? 'button' : type}
      onPress={busy ? undefined : onPress}
      aria-disabled={busy || undefined}
      isDisabled={disabled}
      aria-describedby={describedBy}
      autoFocus={autoFocus}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
      {busy ? <span className="visually-hidden">{words.loading}</span> : null}
    </Button>
  );
}

/** A link to another view, which looks like an action or like text. */
export function Go({
  to,
  children,
  weight,
  label,
  how = 'push',
}: {
  to: Route;
  children: React.ReactNode;
  weight?: Weight;
  label?: string;
  how?: 'push' | 'replace';
}) {
  return (
    <Link
      className={weight ? `action ${weight}` : 'link'}
      href={hrefOf(to)}
      aria-label={label}
      onPress={() => go(to, how)}
    >
      {children}
    </Link>
  );
}
