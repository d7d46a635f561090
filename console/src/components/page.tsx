import { useEffect, useRef } from 'react';
import { Breakable } from '../../../ui/src/components/breakable';
import { ArrowLeft } from '../../../ui/src/components/icons';
import { useConsoleMessages } from '../messages/use-console-messages';
import { wasReachedBack } from '../route';
import { useConsole } from '../session/console-session';
import { ConsoleLink } from './console-link';

/** The address of the view whose heading had the focus last. */
let announced: string | null = null;

/**
 * The layout of a view. Its heading gets the focus, so that screen readers announce the view, and is part of the document
 * title with the environment.
 */
export function Page({
  title,
  children,
  lead,
  back,
  actions,
  badge,
}: {
  readonly title: string;
  readonly children: React.ReactNode;
  readonly lead?: React.ReactNode;
  readonly back?: { readonly href: string; readonly text: string };
  readonly actions?: React.ReactNode;
  readonly badge?: React.ReactNode;
}) {
  const messages = useConsoleMessages();
  const { environment } = useConsole();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement: focused } = document;
    const isSameView = announced === location.hash;
    announced = location.hash;
    // A list restores its focused row and scroll position when the user goes back to it.
    if (wasReachedBack() && focused?.closest('main')) return;
    // The same view, which has loaded now: the user may have moved the focus in the meantime.
    if (isSameView && focused !== null && focused !== document.body) return;
    heading.current?.focus({ preventScroll: true });
    if (!isSameView && !wasReachedBack()) scrollTo(0, 0);
  }, []);
  useEffect(() => {
    const place = environment ? `${environment.client_name} (${environment.name})` : null;
    document.title = [title, place, messages.name].filter(Boolean).join(' · ');
  }, [title, environment, messages]);
  return (
    <article className="view">
      {back ? (
        <p className="view-back">
          <ConsoleLink href={back.href}>
            <ArrowLeft /> {back.text}
          </ConsoleLink>
        </p>
      ) : null}
      <header className="view-head">
        <div className="view-title">
          <h1 ref={heading} tabIndex={-1}>
            <Breakable>{title}</Breakable>
          </h1>
          {badge}
        </div>
        {actions ? <div className="actions">{actions}</div> : null}
      </header>
      {lead ? <div className="view-lead">{lead}</div> : null}
      {children}
    </article>
  );
}

/** A part of a view with a heading of its own. */
export function Section({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children: React.ReactNode;
  readonly actions?: React.ReactNode;
}) {
  return (
    <section className="section">
      <header className="section-head">
        <h2>{title}</h2>
        {actions ? <div className="actions">{actions}</div> : null}
      </header>
      {children}
    </section>
  );
}
