import { useState } from 'react';
import type { Problem } from '../api/problem';
import { Action } from '../parts/action';
import { CopyableCode, Notice, ProblemNotice } from '../parts/notice';
import { useWords } from '../words/use-words';

export interface ServerTrust {
  /** The fingerprint that the reader is asked about, and why; null while there is none. */
  readonly asked: { readonly fingerprint: string; readonly message: string } | null;
  /** Keeps the fingerprint that the reader accepts; answers the input that says so. */
  readonly accept: () => TrustInput;
  /** The input for what has been accepted so far. */
  readonly input: TrustInput;
}

export type TrustInput = { readonly trusted_fingerprint?: string };

type Fault = Problem['faults'][number];

/** Whether the reader can decide on the fault, instead of entering something else. */
const isQuestion = (fault: Fault): fault is Fault & { readonly fingerprint: string } => fault.fingerprint !== undefined;

/** The faults to show at their fields: the question is asked beside the button that was pressed, and the focus stays there. */
export const fieldFaults = (faults: readonly Fault[]): Fault[] => faults.filter((fault) => !isQuestion(fault));

/** What the reader accepted of a server whose certificate or key is not trusted; lasts as long as the form. */
export function useServerTrust(problem: Problem | null): ServerTrust {
  const [accepted, setAccepted] = useState<string | null>(null);
  const asked = problem?.faults.find(isQuestion) ?? null;
  return {
    asked,
    accept: () => {
      setAccepted(asked?.fingerprint ?? null);
      return asked === null ? {} : { trusted_fingerprint: asked.fingerprint };
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
  trust: { asked },
  onAccept,
}: {
  readonly problem: Problem;
  readonly more: readonly string[];
  readonly trust: ServerTrust;
  readonly onAccept: () => void;
}) {
  const { words } = useWords();
  if (asked === null) return <ProblemNotice problem={problem} more={more} />;
  return (
    <Notice tone="warning" role="alert" title={words.serverTrust.title}>
      <p>{asked.message}</p>
      <p>{words.serverTrust.text}</p>
      <CopyableCode label={words.serverTrust.fingerprint} code={asked.fingerprint} />
      <p>{words.serverTrust.otherwise}</p>
      <p className="notice-actions">
        <Action onPress={onAccept}>{words.serverTrust.accept}</Action>
      </p>
    </Notice>
  );
}
