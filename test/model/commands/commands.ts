import fc from 'fast-check';
import {
  breakCredentials,
  changeSelection,
  createConnection,
  deleteConnection,
  disable,
  enable,
  repairCredentials,
} from './connection';
import { acknowledge, changeEndpoint, redeliver, redeliverAll } from './delivery';
import {
  cutOffWorker,
  killWhilePushing,
  killWorker,
  restartDatabase,
  suspendWorker,
  terminateSessions,
} from './faults';
import { advanceClock, fetchNow } from './fetch';
import { letSettle, poll } from './poller';
import { changePortal, placeDocuments } from './source';
import type { Step } from './step';

/** How often each command occurs, in relation to the others. Those that take long are rare. */
const WEIGHTS: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Step>])[] = [
  [60, createConnection],
  [40, changeSelection],
  [30, disable],
  [50, enable],
  [20, breakCredentials],
  [40, repairCredentials],
  [15, deleteConnection],
  [200, placeDocuments],
  [60, changePortal],
  [120, fetchNow],
  [100, advanceClock],
  [60, changeEndpoint],
  [60, redeliver],
  [10, redeliverAll],
  [60, acknowledge],
  [150, poll],
  [25, letSettle],
  [5, killWorker],
  [4, killWhilePushing],
  [4, cutOffWorker],
  [2, suspendWorker],
  [5, terminateSessions],
  [2, restartDatabase],
];

export const COMMANDS = fc.oneof(...WEIGHTS.map(([weight, arbitrary]) => ({ weight, arbitrary })));
