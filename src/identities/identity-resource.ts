import { defineResource } from '../platform/http/access/resource';
import { Identity } from './identity.entity';

export const IDENTITY = defineResource({
  parameter: { name: 'identity_uuid', description: 'The identity.' },
  notFound: 'IDENTITY_NOT_FOUND',
  notYours: 'NOT_YOUR_IDENTITY',
  belongsTo: 'identity',
  find: (em, uuid) => em.findOne(Identity, uuid),
  ownerOf: ({ environmentUuid, uuid }: Identity) => ({ environmentUuid, identityUuid: uuid }),
});
