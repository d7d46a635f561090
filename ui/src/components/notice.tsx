import { Fragment, useState } from 'react';
import type { Problem } from '../api/problem';
import { formatEarliest } from '../messages/date-format';
import { useMessages } from '../messages/use-messages';
import { Action } from './action';
import { Breakable } from './breakable';
import { CheckCircle, Info, Warning } from './icons';

export type Tone = 'info' | 'good' | 'bad' | 'warning';

/**
 * A highlighted message. Screen readers announce `alert` immediately and `status` when the user pauses; use neither for a
 * message that is already there when the view appears.
 */
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
  const Icon = tone === 'good' ? CheckCircle : tone === 'info' ? Info : Warning;
  return (
    <div className={`notice ${tone}`} role={role}>
      <Icon />
      <div>
        {title ? <p className="notice-title">{title}</p> : null}
        {children}
      </div>
    </div>
  );
}

/** After each byte of a fingerprint: `3A:F0:…`. */
const BYTES = /(?<=\b[\dA-F]{2}:)/;

/** A code with a button that copies it. */
export function CopyableCode({ label, code }: { label: string; code: string }) {
  const { messages } = useMessages();
  const [copied, setCopied] = useState(false);
  return (
    <p className="reference">
      <span>
        {label}:{' '}
        <code>
          {code.split(BYTES).map((part, index) => (
            <Fragment key={index}>
              {part}
              <wbr />
            </Fragment>
          ))}
        </code>
      </span>
      <Action variant="quiet" onPress={() => void navigator.clipboard?.writeText(code).then(() => setCopied(true))}>
        {messages.problem.copy}
      </Action>
      <span role="status">{copied ? messages.problem.copied : ''}</span>
    </p>
  );
}

/** Nothing has to be tried again, or the view shows elsewhere when that is possible. */
const CODES_WITHOUT_TIME = ['RATE_LIMITED', 'FETCH_QUOTA_EXCEEDED', 'SCHEDULED_FETCH_DUE'];

/** Describes a failure: what happened, and what the user can do. */
export function ProblemNotice({
  problem,
  retry,
  more,
  titled = true,
}: {
  problem: Problem;
  retry?: () => void;
  more?: readonly string[];
  /** False when the failure is all that the page shows: its heading is the title, and trying again is the main action. */
  titled?: boolean;
}) {
  const { messages, lang } = useMessages();
  const text = () => {
    if (problem.kind === 'network') return navigator.onLine ? messages.problem.network : messages.problem.retryOnline;
    // The response is written for developers and calls a source a connection.
    if (problem.kind === 'not-found') return messages.problem.notFoundText;
    if (problem.code === 'RATE_LIMITED' && problem.retryAfter) return messages.problem.waiting(problem.retryAfter);
    return problem.detail ?? messages.problem.unexpected;
  };
  const retryAt =
    problem.retryAfter && !CODES_WITHOUT_TIME.includes(problem.code)
      ? formatEarliest(Date.now() + problem.retryAfter * 1000, lang, messages.when)
      : null;
  const title = {
    network: messages.problem.networkTitle,
    server: messages.problem.server,
    'not-found': messages.problem.notFoundTitle,
    forbidden: messages.problem.forbiddenTitle,
  }[problem.kind as string];
  return (
    <Notice tone={toneOf(problem)} role="alert" title={titled ? title : undefined}>
      <p>
        <Breakable>{text()}</Breakable>
      </p>
      {more?.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {retryAt ? <p>{messages.connection.againAt(retryAt)}</p> : null}
      {problem.kind === 'server' && problem.requestId ? (
        <CopyableCode label={messages.problem.reference} code={problem.requestId} />
      ) : null}
      {retry && problem.kind !== 'forbidden' ? (
        <p className="notice-actions">
          <Action variant={titled ? 'plain' : 'primary'} onPress={retry}>
            {messages.retry}
          </Action>
        </p>
      ) : null}
    </Notice>
  );
}

function toneOf({ kind, code }: Problem): Tone {
  if (code === 'SCHEDULED_FETCH_DUE') return 'info';
  return kind === 'rejected' ? 'warning' : 'bad';
}
