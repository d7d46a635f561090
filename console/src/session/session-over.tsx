import { type ConsoleSession, getConsoleSession } from '@docfetch/sdk';
import { useState } from 'react';
import { type Problem, problemOf } from '../../../ui/src/api/problem';
import { Action } from '../../../ui/src/components/action';
import { ModalDialog } from '../../../ui/src/components/modal-dialog';
import { Notice, ProblemNotice } from '../../../ui/src/components/notice';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { useConsoleMessages } from '../messages/use-console-messages';
import { clientFor } from './client';
import { SignInForm } from './sign-in-form';

/** A dialog over the view whose session has ended, so that its input is kept until the user has signed in again. */
export function SessionOver({
  onOpen,
  onSignOut,
}: {
  readonly onOpen: (session: ConsoleSession) => void;
  readonly onSignOut: () => void;
}) {
  const { lang } = useMessages();
  const { over, signOut } = useConsoleMessages();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const resume = async () => {
    setBusy(true);
    setProblem(null);
    try {
      onOpen((await getConsoleSession({ client: clientFor(null, null, lang) })).data);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <ModalDialog title={over.title} open onClose={() => undefined} alert busy>
      <p>{over.text}</p>
      <SignInForm onOpen={onOpen} autoFocus />
      <p className="help">{over.other}</p>
      {problem?.kind === 'invalid-token' ? (
        <Notice tone="warning" role="alert">
          <p>{over.stillOver}</p>
        </Notice>
      ) : problem ? (
        <ProblemNotice problem={problem} />
      ) : null}
      <p className="actions">
        <Action onPress={() => void resume()} busy={busy}>
          {over.resume}
        </Action>
        <Action variant="quiet" onPress={onSignOut}>
          {signOut}
        </Action>
      </p>
    </ModalDialog>
  );
}
