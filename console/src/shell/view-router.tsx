import { Component } from 'react';
import { useAddress } from '../route';
import { useConsole } from '../session/console-session';
import { type View, VIEWS } from '../views/views';
import { matchPath } from './match-path';
import { Crashed, NotFound, SupportOnly } from './error-pages';

/** The view of the current address. Another path mounts another one; another filter does not. */
export function ViewRouter() {
  const { path } = useAddress();
  const { role } = useConsole();
  const place = path.join('/');
  const match = findView(path);
  if (!match) return <NotFound key={place} />;
  if (match.view.role !== undefined && match.view.role !== role) return <SupportOnly key={place} />;
  const { view: Content } = match.view;
  return (
    <CrashBoundary key={place}>
      <Content params={match.params} />
    </CrashBoundary>
  );
}

function findView(path: readonly string[]): { view: View; params: Record<string, string> } | null {
  for (const view of VIEWS) {
    const params = matchPath(view.path, path);
    if (params) return { view, params };
  }
  return null;
}

/** An error in one view leaves the navigation usable. */
class CrashBoundary extends Component<{ readonly children: React.ReactNode }, { readonly crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true };
  }

  override render(): React.ReactNode {
    return this.state.crashed ? <Crashed /> : this.props.children;
  }
}
