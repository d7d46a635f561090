import { defineResource } from '../../platform/http/access/resource';
import { Environment } from './environment.entity';

/** An environment as the support team manages it: every one, whatever the environment of the session is. */
export const ENVIRONMENT = defineResource({
  parameter: {
    name: 'environment_uuid',
    description: 'The environment.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  },
  notFound: 'ENVIRONMENT_NOT_FOUND',
  notYours: 'SUPPORT_ONLY',
  belongsTo: 'installation',
  find: (em, uuid) => em.findOne(Environment, uuid),
  ownerOf: (environment: Environment) => environment,
});
