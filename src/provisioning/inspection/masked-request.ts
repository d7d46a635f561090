import type { EntityManager } from '@mikro-orm/postgresql';
import { Environment } from '../../identities/environments/environment.entity';
import { sql } from '../../platform/database/sql';
import { pushHeaders } from '../push/push-headers';
import { maskedTarget, type PushTarget } from '../shared/client-auth';
import type { PushRequestView } from './request.view';

const MASKED_SIGNATURE = 'v1,***';

/** An endpoint as it is shown, and since when it has been the same. */
export interface MaskedEndpoint {
  readonly target: PushTarget;
  readonly since: Date | null;
}

/** SQL: the last change of the endpoint; few entries of the audit log are about the environment itself. */
const LAST_CHANGE = `
  select max(created_at) as at from audit_log where subject_uuid = $1 and environment_uuid = $1 and action = 'provisioning.set'`;

/** The current endpoint of an environment; null without a URL. */
export async function readMaskedEndpoint(em: EntityManager, environmentUuid: string): Promise<MaskedEndpoint | null> {
  const { provisioningUrl, clientAuth } = await em.findOneOrFail(Environment, environmentUuid);
  if (provisioningUrl == null) return null;
  const [row] = await sql<{ at: string | null }>(em, LAST_CHANGE, [environmentUuid]);
  return { target: maskedTarget(provisioningUrl, clientAuth), since: row?.at ? new Date(row.at) : null };
}

/** A request as it was sent to the endpoint; without URL and credentials if the endpoint has been changed since. */
export function maskedRequest(
  endpoint: MaskedEndpoint | null,
  { id, at, length, body }: { readonly id: string; readonly at: Date; readonly length: number; readonly body: object },
): PushRequestView {
  const isCurrent = endpoint !== null && (endpoint.since === null || endpoint.since <= at);
  const signature = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': MASKED_SIGNATURE,
  };
  return {
    method: 'POST',
    url: isCurrent ? endpoint.target.url.href : null,
    headers: pushHeaders(isCurrent ? endpoint.target : { headers: {} }, signature, id, length),
    body,
  };
}
