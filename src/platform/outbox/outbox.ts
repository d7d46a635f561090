import { defineEntity, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Clock } from '../clock/clock';

const schema = defineEntity({
  name: 'OutboxEvent',
  tableName: 'outbox',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** What it is about; the rows go with it. */
    subjectUuid: p.uuid(),
    type: p.text(),
    data: p.json<Readonly<Record<string, unknown>>>(),
    createdAt: p.datetime(3),
    /** Null until those who want to hear of it have been found. */
    dispatchedAt: p.datetime(3).nullable(),
    /** Its place in the feed of events; null until it is first read. */
    position: p.bigint('number').nullable(),
  },
});

/** "This happened": a fact that a client may hear of and that the timeline shows. */
export class OutboxEvent extends schema.class {}
schema.setClass(OutboxEvent);

/** Writes facts in the caller's transaction: they are true exactly if the change that caused them is. */
@Injectable()
export class Outbox {
  constructor(private readonly clock: Clock) {}

  record(
    em: EntityManager,
    fact: { environmentUuid: string; subjectUuid: string; type: string; data: Readonly<Record<string, unknown>> },
  ): void {
    em.persist(em.create(OutboxEvent, { uuid: uuid(), ...fact, createdAt: this.clock.now() }));
  }
}
