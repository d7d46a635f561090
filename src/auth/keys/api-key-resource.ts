import { defineResource } from '../../platform/http/access/resource';
import { ApiKey } from './api-key.entity';

export const API_KEY = defineResource({
  parameter: { name: 'key_uuid', description: 'The API key.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' },
  notFound: 'API_KEY_NOT_FOUND',
  notYours: 'NOT_YOUR_API_KEY',
  belongsTo: 'environment',
  find: (em, uuid) => em.findOne(ApiKey, uuid),
  ownerOf: ({ environmentUuid }: ApiKey) => ({ environmentUuid }),
});
