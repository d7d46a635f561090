import { useState } from 'react';
import type { Problem } from '../../api/problem';
import { Action } from '../../components/action';
import { CopyableCode, Notice, ProblemNotice } from '../../components/notice';
import { useMessages } from '../../messages/use-messages';

export interface ServerTrust {
  /** The fingerprint to confirm, and the reason; null if there is none. */
  readonly question: { readonly fingerprint: string; readonly message: string } | null;
  /** Stores that the user trusts the fingerprint; returns the input to send. */
  readonly accept: () => TrustInput;
  /** The input for the fingerprint that has been accepted so far. */
  readonly input: TrustInput;
}

export type TrustInput = { readonly trusted_fingerprint?: string };

type ServerFieldError = Problem['fieldErrors'][number];

/** True if the user can fix the error by confirming a fingerprint. */
const isTrustQuestion = (error: ServerFieldError): error is ServerFieldError & { readonly fingerprint: string } =>
  error.fingerprint !== undefined;

/** The errors to show at their fields. The trust question is shown next to the submit button, which keeps the focus. */
export const withoutTrustQuestion = (errors: readonly ServerFieldError[]): ServerFieldError[] =>
  errors.filter((error) => !isTrustQuestion(error));

/** The fingerprint that the user accepted for a server whose certificate or key is not trusted; kept while the form is mounted. */
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
 * The problem of a failed step 1: asks whether to trust the server if the user can decide that, else shows the error.
 * Accepting submits the form again with the same input.
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
  if (question === null) return <FormProblem problem={problem} more={more} />;
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

/** The problem of a form, unless its fields already show all of it. `more`: the errors that belong to no visible field. */
export function FormProblem({ problem, more }: { readonly problem: Problem; readonly more: readonly string[] }) {
  const { messages } = useMessages();
  if (problem.kind === 'rejected' && problem.fieldErrors.length > 0 && more.length === 0) return null;
  return <ProblemNotice problem={problem} more={problem.kind === 'network' ? [messages.problem.inputKept] : more} />;
}
