import { hrefOf, navigate, type Route } from '../route';
import { useMessages } from '../messages/use-messages';

export type Variant = 'primary' | 'plain' | 'quiet' | 'danger';

interface ActionProps {
  readonly children: React.ReactNode;
  readonly onPress?: () => void;
  readonly variant?: Variant;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Not possible at the moment, for the reason in `describedBy`: it keeps the focus and can be reached, but ignores presses. */
  readonly inactive?: boolean;
  readonly type?: 'button' | 'submit';
  readonly describedBy?: string;
  readonly autoFocus?: boolean;
}

/**
 * A button. While `busy`, it announces that, ignores presses and keeps the focus. Not React Aria's, which no first view loads
 * (ADR 21).
 */
export function Action({
  children,
  onPress,
  variant = 'plain',
  busy = false,
  disabled = false,
  inactive = false,
  type = 'button',
  describedBy,
  autoFocus,
}: ActionProps) {
  const { messages } = useMessages();
  return (
    <button
      className={`action ${variant}${inactive ? ' inactive' : ''}`}
      type={busy || inactive ? 'button' : type}
      onClick={busy || inactive ? undefined : onPress}
      aria-disabled={busy || inactive || undefined}
      disabled={disabled}
      aria-describedby={describedBy}
      autoFocus={autoFocus}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
      {busy ? <span className="visually-hidden">{messages.loading}</span> : null}
    </button>
  );
}

/**
 * A link to another view that looks like a button (`variant`) or like text. Not React Aria's: an overview has many, and each of those
 * costs several times as much as the element itself.
 */
export function RouteLink({
  to,
  children,
  variant,
  label,
  how: mode = 'push',
}: {
  to: Route;
  children: React.ReactNode;
  variant?: Variant;
  label?: string;
  how?: 'push' | 'replace';
}) {
  return (
    <a
      className={variant ? `action ${variant}` : 'link'}
      href={hrefOf(to)}
      aria-label={label}
      onClick={(event) => {
        // The browser opens another tab or window.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(to, mode);
      }}
    >
      {children}
    </a>
  );
}
