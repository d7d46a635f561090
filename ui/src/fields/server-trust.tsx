import { useState } from 'react';
import type { Problem } from '../api/problem';
import { Action } from '../components/action';
import { CopyableCode, Notice, ProblemNotice } from '../components/notice';
import { useMessages } from '../messages/use-messages';

export interface ServerTrust {
  /** The fingerprint that the reader is asked about, and why; null while there is none. */
  readonly question: { readonly fingerprint: string; readonly message: string } | null;
  /** Keeps the fingerprint that the reader accepts; answers the input that says so. */
  readonly accept: () => TrustInput;
  /** The input for what has been accepted so far. */
  readonly input: TrustInput;
}

export type TrustInput = { readonly trusted_fingerprint?: string };

type ServerFieldError = Problem['fieldErrors'][number];

/** Whether the reader can decide on the error, instead of entering something else. */
const isTrustQuestion = (error: ServerFieldError): error is ServerFieldError & { readonly fingerprint: string } =>
  error.fingerprint !== undefined;

/** The errors to show at their fields: the question is asked beside the button that was pressed, and the focus stays there. */
export const withoutTrustQuestion = (errors: readonly ServerFieldError[]): ServerFieldError[] =>
  errors.filter((error) => !isTrustQuestion(error));

/** What the reader accepted of a server whose certificate or key is not trusted; lasts as long as the form. */
export function useServerTrust(problem: Problem | null): ServerTrust {
  const [accepted, setAccepted] = useState<string | null>(null);
  const question = problem?.fieldErrors.find(isTrustQuestion) ?? null;
  return {
    question,
    accept: () => {
      setAccepted(question?.fingerprint ?? null);
      return question === null ? {} : { trusted_fingerprint: question.fingerprint };
    },
    input: accepted === null ? {} : { trusted_fingerprint: accepted },
  };
}

/**
 * The face of a failed step 1: whether the server is the right one, where the reader can decide that, else what went wrong.
 * Accepting sends the form again, with everything that was typed.
 */
export function SetupProblem({
  problem,
  more,
  trust: { question },
  onAccept,
}: {
  readonly problem: Problem;
  readonly more: readonly string[];
  readonly trust: ServerTrust;
  readonly onAccept: () => void;
}) {
  const { messages } = useMessages();
  if (question === null) return <ProblemNotice problem={problem} more={more} />;
  return (
    <Notice tone="warning" role="alert" title={messages.serverTrust.title}>
      <p>{question.message}</p>
      <p>{messages.serverTrust.text}</p>
      <CopyableCode label={messages.serverTrust.fingerprint} code={question.fingerprint} />
      <p>{messages.serverTrust.otherwise}</p>
      <p className="notice-actions">
        <Action onPress={onAccept}>{messages.serverTrust.accept}</Action>
      </p>
    </Notice>
  );
}
