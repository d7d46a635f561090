import { EVENT_TYPES } from '../../connections/webhooks/webhook.entity';
import { defineResource } from '../../platform/http/access/resource';
import { OutboxEvent } from '../../platform/outbox/outbox';

export const EVENT = defineResource({
  parameter: { name: 'event_uuid', description: 'The event.' },
  notFound: 'EVENT_NOT_FOUND',
  notYours: 'NOT_YOUR_EVENT',
  belongsTo: 'environment',
  // The table also holds entries of the timeline, which are never sent to webhooks.
  find: (em, uuid) => em.findOne(OutboxEvent, { uuid, type: { $in: [...EVENT_TYPES] } }),
  ownerOf: ({ environmentUuid }: OutboxEvent) => ({ environmentUuid }),
  deletedWith: ({ subjectUuid }) => [subjectUuid],
});
