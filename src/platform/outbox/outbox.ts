import { defineEntity, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Clock } from '../clock/clock';
import type { RetentionClass } from '../history/retention-class';
import { retentionClassOf } from '../history/retention-class-of';
import type { SpanCauses } from '../request/span';
import { currentTraceparent } from '../request/work-scope';

const schema = defineEntity({
  name: 'OutboxEvent',
  tableName: 'outbox',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** That of the environment when the event was recorded. */
    retentionClass: p.string().$type<RetentionClass>(),
    /** The subject of the event; the row is deleted with it. */
    subjectUuid: p.uuid(),
    type: p.text(),
    data: p.json<Readonly<Record<string, unknown>>>(),
    createdAt: p.datetime(3),
    /** Null until the deliveries to subscribed webhooks have been created. */
    dispatchedAt: p.datetime(3).nullable(),
    /** The position in the feed of events; null until it is first read. */
    position: p.bigint('number').nullable(),
    /** The span that has caused it: the parent of those of its webhooks. */
    traceparent: p.text().nullable(),
    /** Another one that they are linked to. */
    linkedTraceparent: p.text().nullable(),
  },
});

/** An event that clients can subscribe to and that the timeline shows. */
export class OutboxEvent extends schema.class {}
schema.setClass(OutboxEvent);

/** Records events in the caller's transaction, together with the change that caused them. */
@Injectable()
export class Outbox {
  constructor(private readonly clock: Clock) {}

  /** The current span counts as its cause, unless others are given. */
  record(
    em: EntityManager,
    event: { environmentUuid: string; subjectUuid: string; type: string; data: Readonly<Record<string, unknown>> },
    causes: SpanCauses = { traceparent: currentTraceparent(), linkedTraceparent: null },
  ): void {
    const retentionClass = retentionClassOf(event.environmentUuid);
    const row = { uuid: uuid(), ...event, ...causes, retentionClass, createdAt: this.clock.now() };
    em.persist(em.create(OutboxEvent, row));
  }
}
