import fc from 'fast-check';
import { STRATEGIES } from '../model';
import { settle } from '../settle';
import { step } from './step';

export const poll = fc
  .record({ strategy: fc.constantFrom(...STRATEGIES), limit: fc.integer({ min: 1, max: 10 }) })
  .map((given) => step('poll', given, (model, { tenants }) => tenants[given.strategy].feed.poll(model, given.limit)));

export const letSettle = fc.constant(0).map(() => step('settle', {}, settle));
