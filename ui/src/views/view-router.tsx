import { useEffect, useState } from 'react';
import { lazy } from '../components/lazy';
import { type Route, useRoute } from '../route';
import { useSession } from '../session/session';
import type { SessionStart } from '../session/session-start';
import { ANY_MAILBOX } from './mailbox/any-mailbox';

const Overview = lazy(() => import('./overview/overview').then(({ Overview: component }) => component));
const ChooseIntegration = lazy(() =>
  import('./choose-integration').then(({ ChooseIntegration: component }) => component),
);
const Connect = lazy(() => import('./connect').then(({ Connect: component }) => component));
const Mailbox = lazy(() => import('./mailbox/mailbox').then(({ Mailbox: component }) => component));
const EditCredentials = lazy(() => import('./edit-credentials').then(({ EditCredentials: component }) => component));
const ContentSelection = lazy(() => import('./content-selection').then(({ ContentSelection: component }) => component));
const Recovery = lazy(() => import('./recovery/recovery').then(({ Recovery: component }) => component));
const SetupDone = lazy(() => import('./setup-done').then(({ SetupDone: component }) => component));
const AuthorizationCallback = lazy(() =>
  import('../authorize/authorization-callback').then(({ AuthorizationCallback: component }) => component),
);
const PopupAuthorization = lazy(() =>
  import('../authorize/popup-authorization').then(({ PopupAuthorization: component }) => component),
);
const ConnectionView = lazy(() => import('./connection/connection').then(({ ConnectionView: component }) => component));

/** Loads the file of the first view while the session is being loaded. */
export async function preloadFirstView({ resumed, claims }: SessionStart): Promise<void> {
  if (resumed) return AuthorizationCallback.preload();
  if (claims.connection_uuid) return EditCredentials.preload();
  if (claims.integration_id) return (claims.integration_id === ANY_MAILBOX ? Mailbox : Connect).preload();
  return Overview.preload();
}

/** Renders the view of the current route, restricted to the preselection of the token (spec 4.12). */
export function ViewRouter({ resumed }: { resumed: SessionStart['resumed'] }) {
  const route = useRoute();
  const { session, page } = useSession();
  const [callback, setCallback] = useState(resumed);
  const view = restrictToPreselection(route, session.preselection);
  useEffect(() => page?.send({ docfetchConnect: 'view', view: view.view }), [page, view.view]);
  if (callback) return <AuthorizationCallback resumed={callback} onDone={() => setCallback(null)} />;
  switch (view.view) {
    case 'home':
      return <Overview />;
    case 'choose':
      return <ChooseIntegration />;
    case 'connect':
      return <Connect key={view.integration} id={view.integration} />;
    case 'mailbox':
      return <Mailbox integration={view.integration} />;
    case 'access':
      return <EditCredentials key={view.uuid} uuid={view.uuid} />;
    case 'authorize':
      return <PopupAuthorization key={view.uuid} uuid={view.uuid} />;
    case 'content':
      return <ContentSelection key={view.uuid} uuid={view.uuid} />;
    case 'done':
      return <SetupDone key={view.uuid} uuid={view.uuid} />;
    case 'recovery':
      return <Recovery key={view.uuid} uuid={view.uuid} />;
    case 'connection':
      return <ConnectionView key={view.uuid} uuid={view.uuid} />;
  }
}

/** A token with a preselected connection can only edit it; one with a preselected integration can only connect it. */
function restrictToPreselection(
  route: Route,
  preselection: { connection_uuid: string | null; integration_id: string | null },
): Route {
  const { connection_uuid: uuid, integration_id: integration } = preselection;
  if (uuid) return 'uuid' in route && route.uuid === uuid ? route : { view: 'access', uuid };
  if (!integration || 'uuid' in route) return route;
  if (integration !== ANY_MAILBOX) return { view: 'connect', integration };
  // Its first step asks for the address alone; the second one is the form.
  return route.view === 'mailbox' && route.integration === integration ? route : { view: 'mailbox', integration: null };
}
