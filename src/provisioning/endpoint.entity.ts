import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoint',
  properties: {
    environmentUuid: p.uuid().primary(),
    consecutiveFailures: p.integer(),
    /** Until then nothing is sent; afterwards one document probes. Null: not held back. */
    heldUntil: p.datetime(3).nullable(),
    /** Until then it has asked to be left alone (`Retry-After`), however well it answers what was on its way. */
    askedUntil: p.datetime(3).nullable(),
    /** Until then what has piled up flows at a bounded rate: it has only just come back. */
    catchUpUntil: p.datetime(3).nullable(),
  },
});

/** How a client's provisioning URL has been behaving (contract 6): one that keeps failing is held back. */
export class Endpoint extends schema.class {}
schema.setClass(Endpoint);
