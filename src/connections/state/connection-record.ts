import type { OptionalProps } from '@mikro-orm/core';
import type { Connection } from './connection.entity';

/** Properties that only the use cases that change a connection need, because they are secret, large or internal. */
export const INTERNAL_PROPERTIES = [
  'secrets',
  'step2Fields',
  'displayValues',
  'trustedFingerprints',
  'migratedOn',
  'accountId',
  'cursor',
  'credentialsSuspectAt',
  'consecutiveFailures',
  'awaitingSuccessSince',
  'immediateFetchAt',
  'immediateFetchTrigger',
  'immediateFetchTraceparent',
  'leaseToken',
  'leasedUntil',
  'countedMonth',
  'receivedMails',
] as const satisfies readonly (keyof Connection)[];

type Derived = typeof OptionalProps | 'status' | 'isActive' | 'health' | 'reason';
type Method = {
  [Name in keyof Connection]-?: Connection[Name] extends (...parameters: never[]) => unknown ? Name : never;
}[keyof Connection];

/** The readable data of a connection: the entity, or a row that was read without the ORM. */
export type ConnectionRecord = Readonly<Omit<Connection, Derived | Method | (typeof INTERNAL_PROPERTIES)[number]>>;
