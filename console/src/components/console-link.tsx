import type { Variant } from '../../../ui/src/components/action';
import { navigate } from '../route';

/** A link to another view; `href` comes from `hrefOf`. */
export function ConsoleLink({
  href,
  children,
  variant,
  label,
  current,
  className = variant ? `action ${variant}` : 'link',
}: {
  href: string;
  children: React.ReactNode;
  variant?: Variant;
  label?: string;
  current?: boolean;
  className?: string;
}) {
  return (
    <a
      className={className}
      href={href}
      aria-label={label}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        // The browser opens another tab or window.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(href);
      }}
    >
      {children}
    </a>
  );
}
