import { useEffect, useState } from 'react';
import { lazy } from '../components/lazy';
import type { Route } from '../route';
import { useSession } from '../session/session';
import type { SessionStart } from '../session/session-start';
import { firstView, VIEW_FILES } from '../start/view-files';
import { useRoute } from '../use-route';
import { ANY_MAILBOX } from './mailbox/any-mailbox';

const Overview = lazy(VIEW_FILES.overview);
const ChooseIntegration = lazy(VIEW_FILES.choose);
const Connect = lazy(VIEW_FILES.connect);
const Mailbox = lazy(VIEW_FILES.mailbox);
const EditCredentials = lazy(VIEW_FILES.access);
const ContentSelection = lazy(VIEW_FILES.content);
const Recovery = lazy(VIEW_FILES.recovery);
const SetupDone = lazy(VIEW_FILES.done);
const AuthorizationCallback = lazy(VIEW_FILES.callback);
const PopupAuthorization = lazy(VIEW_FILES.authorize);
const ConnectionView = lazy(VIEW_FILES.connection);

const FIRST_VIEWS = {
  ...{ callback: AuthorizationCallback, access: EditCredentials },
  ...{ mailbox: Mailbox, connect: Connect, overview: Overview },
};

/** Resolves when the first view can be rendered. */
export const preloadFirstView = (sessionStart: SessionStart): Promise<void> =>
  FIRST_VIEWS[firstView(sessionStart)].preload();

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
