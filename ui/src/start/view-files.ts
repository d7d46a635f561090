import type { SessionStart } from '../session/session-start';
import { ANY_MAILBOX } from '../views/mailbox/any-mailbox';

/** The views of the hosted UI, each in a file that is loaded on demand. */
export const VIEW_FILES = {
  overview: () => import('../views/overview/overview').then(({ Overview }) => Overview),
  choose: () => import('../views/choose-integration').then(({ ChooseIntegration }) => ChooseIntegration),
  connect: () => import('../views/connect').then(({ Connect }) => Connect),
  mailbox: () => import('../views/mailbox/mailbox').then(({ Mailbox }) => Mailbox),
  access: () => import('../views/edit-credentials').then(({ EditCredentials }) => EditCredentials),
  content: () => import('../views/content-selection').then(({ ContentSelection }) => ContentSelection),
  recovery: () => import('../views/recovery/recovery').then(({ Recovery }) => Recovery),
  done: () => import('../views/setup-done').then(({ SetupDone }) => SetupDone),
  callback: () =>
    import('../authorize/authorization-callback').then(({ AuthorizationCallback }) => AuthorizationCallback),
  authorize: () => import('../authorize/popup-authorization').then(({ PopupAuthorization }) => PopupAuthorization),
  connection: () => import('../views/connection/connection').then(({ ConnectionView }) => ConnectionView),
};

/** The view that a session begins with, as far as its token says. */
export function firstView({
  resumed,
  claims,
}: SessionStart): 'callback' | 'access' | 'mailbox' | 'connect' | 'overview' {
  if (resumed) return 'callback';
  if (claims.connection_uuid) return 'access';
  if (claims.integration_id) return claims.integration_id === ANY_MAILBOX ? 'mailbox' : 'connect';
  return 'overview';
}
