import { RateLimited } from '../../core/source-errors';
import type { SandboxSession } from './login';

/** The documents that a fetch lists and its progress. An interrupted fetch continues; a completed one is followed by the next. */
export type SandboxCursor = {
  /** Counted from 1. */
  readonly fetch: number;
  /** The number of initial documents, and whether this fetch lists them. */
  readonly initial: number;
  readonly showsInitial: boolean;
  /** The number of documents that fetches between the first and this one added, whether this fetch lists them, and how many it adds. */
  readonly earlier: number;
  readonly showsEarlier?: boolean;
  readonly fresh: number;
  /** The number of documents that this fetch has listed. */
  readonly listed: number;
  /** The number of the last command whose placed documents were listed. */
  readonly placed?: number;
  /** Whether the scenario has interrupted this fetch already, which it does once. */
  readonly stopped: boolean;
  /** Until this time the portal answers 429. */
  readonly pausedUntil: string | null;
};

/** The plan of a fetch without an interrupted one before it. */
export function nextFetch({ fields }: SandboxSession, previous: SandboxCursor | null): SandboxCursor {
  const progress = { listed: 0, stopped: false, pausedUntil: null };
  if (!previous) {
    return { fetch: 1, initial: Math.floor(fields.documents), showsInitial: true, earlier: 0, fresh: 0, ...progress };
  }
  return {
    fetch: previous.fetch + 1,
    initial: previous.initial,
    showsInitial: fields.scenario === 'rerendered',
    earlier: previous.earlier + previous.fresh,
    fresh: Math.floor(fields.new_per_fetch),
    placed: previous.placed ?? 0,
    ...progress,
  };
}

/** The number of documents that a fetch lists, without placed ones. */
export function planned(plan: SandboxCursor): number {
  return (plan.showsInitial ? plan.initial : 0) + (plan.showsEarlier ? plan.earlier : 0) + plan.fresh;
}

/** @throws RateLimited until the pause is over */
export function assertNotPaused(session: SandboxSession, { pausedUntil }: SandboxCursor): void {
  const seconds = pausedUntil ? Math.ceil((Date.parse(pausedUntil) - session.now().getTime()) / 1_000) : 0;
  if (seconds > 0) throw new RateLimited('The sandbox answers 429.', seconds);
}
