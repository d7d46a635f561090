import type { RetentionClass } from '../../platform/history/retention-class';
import { apiEnum } from '../../platform/openapi/api-enum';
import type { ClientAuth, EnvironmentKind, MailPolicy, Strategy } from './setting-values';

export const ENVIRONMENT_KIND = apiEnum<EnvironmentKind>('EnvironmentKind', 'What an environment is for.', {
  LIVE: 'for production',
  TEST: 'for tests; it also has the sandbox integrations',
});

export const STRATEGY = apiEnum<Strategy>('ProvisioningStrategy', 'How documents reach you.', {
  PUSH: 'each document is posted to your provisioning URL',
  WEBHOOK: 'a webhook announces each document, and you pull it',
  POLLING: 'you poll for new documents',
});

export const CLIENT_AUTH = apiEnum<ClientAuth>(
  'ProvisioningAuthentication',
  'How requests to the provisioning URL are authenticated.',
  {
    NONE: 'not at all; they are signed in any case',
    BEARER: 'the secret is a bearer token',
    QUERY: 'the secret is the query parameter `token`',
    HEADER: 'the secret is the whole value of the header `Authorization`',
  },
);

export const RETENTION_CLASS = apiEnum<RetentionClass>(
  'RetentionClass',
  'How long fetches, attempts, events and webhook deliveries are kept.',
  { SHORT: 'for 30 days', STANDARD: 'for 90 days', LONG: 'for 400 days' },
);

export const MAIL_POLICY = apiEnum<MailPolicy>(
  'MailPolicy',
  'Which mails for addresses of `mail_inbox` are accepted. The results of SPF, DKIM and DMARC are in the metadata in any case.',
  {
    RECORD: 'all, whatever the results are',
    DMARC: 'all but those that fail DMARC and whose domain asks for their rejection (`p=reject`)',
    REQUIRE: 'only those whose visible sender is confirmed by DMARC or, without a DMARC record, by SPF or DKIM',
  },
);
