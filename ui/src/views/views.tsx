import { useState } from 'react';
import { later } from '../parts/later';
import { type Route, useRoute } from '../route';
import { useSession } from '../session/session';
import type { Arrival } from '../session/token';
import { Overview } from './overview';

const Choose = later(() => import('./choose').then(({ Choose: component }) => component));
const Connect = later(() => import('./connect').then(({ Connect: component }) => component));
const Access = later(() => import('./access').then(({ Access: component }) => component));
const Content = later(() => import('./content').then(({ Content: component }) => component));
const Done = later(() => import('./done').then(({ Done: component }) => component));
const BackFromProvider = later(() =>
  import('../authorize/back-from-provider').then(({ BackFromProvider: component }) => component),
);
const Elsewhere = later(() => import('../authorize/elsewhere').then(({ Elsewhere: component }) => component));
const ConnectionView = later(() => import('./connection').then(({ ConnectionView: component }) => component));

/** Begins to load what will be shown first, so that it is there when the session is. */
export async function expectFirstView({ authorized, claims }: Arrival): Promise<void> {
  if (authorized) return BackFromProvider.expect();
  if (claims.connection_uuid) return Access.expect();
  if (claims.integration_id) return Connect.expect();
}

/** Shows the view that the address names, within what the token was opened for (spec 4.12). */
export function Views({ authorized }: { authorized: Arrival['authorized'] }) {
  const route = useRoute();
  const { session } = useSession();
  const [arriving, setArriving] = useState(authorized);
  if (arriving) return <BackFromProvider authorized={arriving} done={() => setArriving(null)} />;
  const shown = within(route, session.preselection);
  switch (shown.view) {
    case 'home':
      return <Overview />;
    case 'choose':
      return <Choose />;
    case 'connect':
      return <Connect key={shown.integration} id={shown.integration} />;
    case 'access':
      return <Access key={shown.uuid} uuid={shown.uuid} />;
    case 'authorize':
      return <Elsewhere key={shown.uuid} uuid={shown.uuid} />;
    case 'content':
      return <Content key={shown.uuid} uuid={shown.uuid} />;
    case 'done':
      return <Done key={shown.uuid} uuid={shown.uuid} />;
    case 'connection':
      return <ConnectionView key={shown.uuid} uuid={shown.uuid} />;
  }
}

/** A preselected connection is edited, a preselected integration is added; nothing else can be chosen. */
function within(route: Route, preselection: { connection_uuid: string | null; integration_id: string | null }): Route {
  const { connection_uuid: uuid, integration_id: integration } = preselection;
  if (uuid) return 'uuid' in route && route.uuid === uuid ? route : { view: 'access', uuid };
  if (integration && ['home', 'choose', 'connect'].includes(route.view)) return { view: 'connect', integration };
  return route;
}
