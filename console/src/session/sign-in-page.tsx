import type { ConsoleSession } from '@docfetch/sdk';
import { useEffect, useRef } from 'react';
import { Action } from '../../../ui/src/components/action';
import { Notice, ProblemNotice } from '../../../ui/src/components/notice';
import { useConsoleMessages } from '../messages/use-console-messages';
import { LanguageSwitch } from '../../../ui/src/session/language-switch';
import type { SignedOut } from './open-session';
import { SignInForm } from './sign-in-form';

export function SignInPage({
  reason,
  onOpen,
  retry,
}: {
  readonly reason: SignedOut;
  readonly onOpen: (session: ConsoleSession) => void;
  readonly retry: () => void;
}) {
  const messages = useConsoleMessages();
  const { signIn } = messages;
  const heading = useRef<HTMLHeadingElement>(null);
  const title = reason.kind === 'link-invalid' ? signIn.linkInvalid : signIn.title;
  useEffect(() => {
    document.title = `${title} · ${messages.name}`;
  }, [title, messages]);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="sign-in">
      <header className="sign-in-head">
        <span className="product">{messages.name}</span>
        <LanguageSwitch />
      </header>
      <main>
        <article className="card-view">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <div role="status">
            {reason.kind === 'signed-out' ? (
              <Notice tone="good">
                <p>{signIn.signedOut}</p>
              </Notice>
            ) : null}
          </div>
          {reason.kind === 'problem' ? <ProblemNotice problem={reason.problem} retry={retry} /> : null}
          <p className="view-lead">{reason.kind === 'link-invalid' ? signIn.linkInvalidText : signIn.lead}</p>
          <SignInForm onOpen={onOpen} />
          {reason.kind === 'link-invalid' && reason.session ? (
            <OpenSession session={reason.session} onOpen={onOpen} />
          ) : null}
        </article>
      </main>
    </div>
  );
}

function OpenSession({ session, onOpen }: { session: ConsoleSession; onOpen: (session: ConsoleSession) => void }) {
  const { signIn } = useConsoleMessages();
  return (
    <>
      <p className="help">{signIn.stillSignedIn}</p>
      <p className="actions">
        <Action onPress={() => onOpen(session)}>{signIn.resume}</Action>
      </p>
    </>
  );
}
