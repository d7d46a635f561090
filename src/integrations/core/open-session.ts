import type { Network } from '../../platform/network/network';
import type { FieldInput } from './validate-fields';
import type { Session } from './integration';
import { ServerTrust } from './server-trust';
import { EMPTY_PORTAL } from './sandbox-portal';
import { AuthorizationRevoked, Transient } from './source-errors';

/** A session that its opener has to close. */
export interface OpenSession extends Session {
  /** Closes everything that the connector opened with `shared`, last opened first. Never rejects. */
  close(): Promise<void>;
}

/** Opens a connector's view of one connection. */
export function openSession(options: {
  fields: FieldInput;
  step2: FieldInput;
  network: Network;
  signal: AbortSignal;
  now: () => Date;
  /** Default: nothing is known. */
  findKnown?: Session['findKnown'];
  /** Default: nothing is pinned. */
  trust?: ServerTrust;
  /** Default: none, for connectors that are told by a field where their server is. */
  apiBaseUrl?: string;
  /** Default: nothing was commanded. */
  portal?: Session['portal'];
  /** Default: nobody has authorised us. */
  accessToken?: Session['accessToken'];
}): OpenSession {
  const opened = new Map<string, { resource: Promise<unknown>; close: (resource: never) => unknown }>();
  let isClosed = false;
  return {
    findKnown: () => Promise.resolve(new Set<string>()),
    trust: ServerTrust.NONE,
    apiBaseUrl: '',
    portal: EMPTY_PORTAL,
    accessToken: () => Promise.reject(new AuthorizationRevoked('There is no authorisation.', 'AUTHORIZATION_PENDING')),
    ...options,
    shared<T>(name: string, open: () => Promise<T>, close: (resource: T) => unknown): Promise<T> {
      const known = opened.get(name);
      if (known) return known.resource as Promise<T>;
      // A listing that was left in the middle may still go on for a step: nobody would close what it opens.
      if (isClosed) return Promise.reject(new Transient('The session has ended.'));
      const resource = open();
      opened.set(name, { resource, close });
      // What failed to open may be tried again.
      resource.catch(() => opened.delete(name));
      return resource;
    },
    async close(): Promise<void> {
      const resources = [...opened.values()].reverse();
      opened.clear();
      isClosed = true;
      for (const { resource, close } of resources) {
        try {
          await close((await resource) as never);
        } catch {
          // It is being thrown away.
        }
      }
    },
  };
}
