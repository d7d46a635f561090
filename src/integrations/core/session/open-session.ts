import type { Network } from '../../../platform/network/network';
import type { FieldInput } from '../validate-fields';
import type { Session } from '../integration';
import { ServerTrust } from '../server-trust';
import { EMPTY_INBOX } from '../inbox';
import { EMPTY_PORTAL } from '../sandbox-portal';
import { AuthorizationRevoked, Transient } from '../source-errors';

/** A session that the caller has to close. */
export interface OpenSession extends Session {
  /** Closes the resources that the connector opened with `shared`, in reverse order. Never rejects. */
  close(): Promise<void>;
}

/** Opens a session of a connector with one connection. */
export function openSession(options: {
  fields: FieldInput;
  step2: FieldInput;
  network: Network;
  signal: AbortSignal;
  now: () => Date;
  /** Default: no key is known. */
  findKnown?: Session['findKnown'];
  /** Default: no fingerprint is trusted. */
  trust?: ServerTrust;
  /** Default: none, for connectors whose server is named by a field. */
  apiBaseUrl?: string;
  /** Default: an empty portal. */
  portal?: Session['portal'];
  /** Default: an empty inbox. */
  inbox?: Session['inbox'];
  /** Default: there is no authorization. */
  accessToken?: Session['accessToken'];
}): OpenSession {
  const opened = new Map<string, { resource: Promise<unknown>; close: (resource: never) => unknown }>();
  let isClosed = false;
  return {
    findKnown: () => Promise.resolve(new Set<string>()),
    trust: ServerTrust.NONE,
    apiBaseUrl: '',
    portal: EMPTY_PORTAL,
    inbox: EMPTY_INBOX,
    accessToken: () => Promise.reject(new AuthorizationRevoked('There is no authorization.', 'AUTHORIZATION_PENDING')),
    ...options,
    shared<T>(name: string, open: () => Promise<T>, close: (resource: T) => unknown): Promise<T> {
      const existing = opened.get(name);
      if (existing) return existing.resource as Promise<T>;
      // An abandoned listing may still continue for a step: nothing would close what it opens.
      if (isClosed) return Promise.reject(new Transient('The session has ended.'));
      const resource = open();
      opened.set(name, { resource, close });
      // A failed opening may be retried.
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
          // It is discarded anyway.
        }
      }
    },
  };
}
