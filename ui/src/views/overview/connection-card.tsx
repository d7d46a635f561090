import { nextStep } from '../../api/next-step';
import { RouteLink } from '../../components/action';
import { Breakable } from '../../components/breakable';
import { FetchSchedule, StatusBadge } from '../../components/connection-status';
import { ChevronRight } from '../../components/icons';
import { Facts } from '../../components/list/facts';
import { Logo } from '../../components/logo';
import { useMessages } from '../../messages/use-messages';
import type { Source } from './find-connections';

/** A connection in the overview: its status, what came last or what is wrong, and the step that helps. */
export function ConnectionCard({ connection, integration }: Source) {
  const { messages } = useMessages();
  const step = nextStep(connection, messages.action);
  const target = step && typeof step.to === 'object' ? step.to : null;
  const { uuid, name, account, reason, status } = connection;
  const about = [integration?.name, account?.display].filter((text) => text && text !== name);
  return (
    <li className="card">
      <div className="card-row">
        <Logo url={integration?.logo_url} />
        <div className="card-text">
          <h2 className="card-title">
            <RouteLink to={{ view: 'connection', uuid }} label={messages.overview.manage(name)}>
              <Breakable>{name}</Breakable>
            </RouteLink>
          </h2>
          {about.length > 0 ? (
            <p className="about">
              <Facts facts={about} />
            </p>
          ) : null}
        </div>
        <StatusBadge connection={connection} />
        <span className="card-arrow">
          <ChevronRight />
        </span>
      </div>
      {reason && status !== 'DISABLED' ? (
        <p className="card-reason">{reason.message}</p>
      ) : (
        <FetchSchedule connection={connection} />
      )}
      {step && status !== 'DISABLED' ? (
        <p className="card-action">
          <RouteLink to={target ?? { view: 'connection', uuid }} variant="plain">
            {step.label}
          </RouteLink>
        </p>
      ) : null}
    </li>
  );
}
