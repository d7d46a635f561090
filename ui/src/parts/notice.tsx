import { useState } from 'react';
import type { Problem } from '../api/problem';
import { sayMoment } from '../words/moments';
import { useWords } from '../words/use-words';
import { Action } from './action';
import { CheckCircle, Info, Warning } from './icons';

export type Tone = 'info' | 'good' | 'bad' | 'warning';

/** A sentence that matters. `alert` is read out at once, `status` when the reader pauses; neither: it was there before. */
export function Notice({
  tone,
  role,
  title,
  children,
}: {
  tone: Tone;
  role?: 'alert' | 'status';
  title?: string;
  children?: React.ReactNode;
}) {
  const Sign = tone === 'good' ? CheckCircle : tone === 'info' ? Info : Warning;
  return (
    <div className={`notice ${tone}`} role={role}>
      <Sign />
      <div>
        {title ? <p className="notice-title">{title}</p> : null}
        {children}
      </div>
    </div>
  );
}

/** A text to pass on as it is. */
export function CopyableCode({ label, code }: { label: string; code: string }) {
  const { words } = useWords();
  const [copied, setCopied] = useState(false);
  return (
    <p className="reference">
      {label}: <code>{code}</code>{' '}
      <Action weight="quiet" onPress={() => void navigator.clipboard?.writeText(code).then(() => setCopied(true))}>
        {words.problem.copy}
      </Action>
      <span role="status">{copied ? words.problem.copied : ''}</span>
    </p>
  );
}

/** The face of a failure: what happened, in words for people, and what to do. */
export function ProblemNotice({
  problem,
  retry,
  more,
  titled = true,
}: {
  problem: Problem;
  retry?: () => void;
  more?: readonly string[];
  /** False where the heading of the page says it already. */
  titled?: boolean;
}) {
  const { words, lang } = useWords();
  const sentence = () => {
    if (problem.kind === 'network') return navigator.onLine ? words.problem.network : words.problem.offline;
    if (problem.code === 'RATE_LIMITED' && problem.retryAfter) return words.problem.waiting(problem.retryAfter);
    return problem.detail ?? words.problem.unexpected;
  };
  const again =
    problem.code !== 'RATE_LIMITED' && problem.retryAfter
      ? sayMoment(new Date(Date.now() + problem.retryAfter * 1000 + 59_000).toISOString(), lang, words.when)
      : null;
  const title = {
    network: words.problem.networkTitle,
    server: words.problem.server,
    gone: words.problem.goneTitle,
    forbidden: words.problem.forbiddenTitle,
  }[problem.kind as string];
  return (
    <Notice tone={problem.kind === 'refused' ? 'warning' : 'bad'} role="alert" title={titled ? title : undefined}>
      <p>{sentence()}</p>
      {more?.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {again ? <p>{words.connection.againAt(again)}</p> : null}
      {problem.kind === 'server' && problem.requestId ? (
        <CopyableCode label={words.problem.reference} code={problem.requestId} />
      ) : null}
      {retry ? (
        <p className="notice-actions">
          <Action onPress={retry}>{words.retry}</Action>
        </p>
      ) : null}
    </Notice>
  );
}
