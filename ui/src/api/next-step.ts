import type { Connection } from '@docfetch/sdk';
import type { Route } from '../route';
import type { Messages } from '../messages/en';

/** The action that a connection requires from its user: its label and the route that leads to it. */
export interface NextStep {
  readonly label: string;
  readonly to: Route | 'enable' | 'authorize';
}

/** Null if the user cannot or need not do anything. */
export function nextStep(connection: Connection, messages: Messages['action']): NextStep | null {
  const { uuid, reason, status } = connection;
  if (status === 'DISABLED') return { label: messages.ENABLE, to: 'enable' };
  switch (reason?.action) {
    case 'UPDATE_CREDENTIALS':
      return { label: messages.UPDATE_CREDENTIALS, to: { view: 'access', uuid } };
    case 'AUTHORIZE':
      return { label: messages.AUTHORIZE, to: 'authorize' };
    case 'COMPLETE_SETUP':
      return {
        label: connection.setup_complete ? messages.COMPLETE_SETUP : messages.FINISH_SETUP,
        to: { view: 'content', uuid },
      };
    default:
      return null;
  }
}

/** The label and the tone of the status badge. A repaired connection is good only after a fetch has succeeded. */
export function displayStatus({ status, health, last_fetch: last, last_success_at: success }: Connection): {
  readonly label: keyof Messages['status'];
  readonly tone: 'good' | 'wait' | 'bad' | 'off';
} {
  if (status === 'DISABLED') return { label: 'DISABLED', tone: 'off' };
  if (status === 'INVALID_CREDENTIALS') return { label: 'INVALID_CREDENTIALS', tone: 'bad' };
  if (status === 'PENDING') return { label: 'PENDING', tone: 'bad' };
  if (health === 'ACTION_REQUIRED') return { label: 'ACTION_REQUIRED', tone: 'bad' };
  if (last?.status === 'QUEUED' || last?.status === 'RUNNING') return { label: 'FETCHING', tone: 'off' };
  if (health === 'DEGRADED') return { label: 'DEGRADED', tone: 'wait' };
  // The problem is repaired, and the last fetch was before that.
  const hasFailed = last?.finished_at && (!success || Date.parse(success) < Date.parse(last.finished_at));
  if (hasFailed) return { label: 'CHECKING', tone: 'off' };
  return { label: 'ACTIVE', tone: 'good' };
}

/** Whether a fetch is running, or follows a repair: the connection is about to change. */
export function isChanging(connection: Connection): boolean {
  const { last_fetch: last } = connection;
  return (last !== null && last.finished_at === null) || displayStatus(connection).label === 'CHECKING';
}
