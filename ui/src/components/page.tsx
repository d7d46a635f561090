import { useEffect, useRef } from 'react';
import { Breakable } from './breakable';
import { ArrowLeft } from './icons';
import { RouteLink } from './action';
import type { Route } from '../route';
import { useMessages } from '../messages/use-messages';

interface PageProps {
  readonly title: string;
  readonly children: React.ReactNode;
  readonly lead?: React.ReactNode;
  readonly back?: Route | null;
  readonly logo?: React.ReactNode;
  /** The main action of the view, next to its heading. */
  readonly action?: React.ReactNode;
  readonly step?: { readonly at: number; readonly of: number };
}

/** The layout of a view. Its heading gets the focus, so that screen readers announce the view, and becomes the document title. */
export function Page({ title, children, lead, back, logo, action, step }: PageProps) {
  const { messages } = useMessages();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <article className="page">
      <div className="page-top">
        {back ? (
          <RouteLink to={back}>
            <ArrowLeft /> {messages.back}
          </RouteLink>
        ) : null}
        {step && step.of > 1 ? (
          <p className="progress" aria-hidden="true">
            {Array.from({ length: step.of }, (_, index) => (
              <span key={index} className={index < step.at ? 'dash done' : 'dash'} />
            ))}
          </p>
        ) : null}
      </div>
      <header className="page-head">
        {logo}
        <div>
          {step && step.of > 1 ? <p className="eyebrow">{messages.steps.progress(step.at, step.of)}</p> : null}
          <h1 ref={heading} tabIndex={-1}>
            <Breakable>{title}</Breakable>
          </h1>
        </div>
        {action}
      </header>
      {lead ? <div className="lead">{lead}</div> : null}
      {children}
    </article>
  );
}
