import type { OperationExamples } from './named-example';

/** Examples of finding out how a mailbox is connected. */
export const MAIL_ACCOUNT_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  discoverMailAccount: {
    request: {
      known: { summary: 'An address of a known provider', value: { email: 'anna@gmx.de' } },
      own: { summary: 'An address with a domain of its own', value: { email: 'anna@example.com' } },
    },
    responses: {
      200: {
        known: { summary: 'A known provider: only the password is missing', changes: {} },
        own: {
          summary: 'A server that the domain names, and that the user has to confirm',
          changes: {
            data: {
              integration_id: 'imap',
              source: 'AUTOCONFIG',
              fields: { host: 'imap.example.net', port: 993, security: 'TLS', user: 'anna@example.com' },
              confirm_server: true,
            },
          },
        },
      },
    },
  },
};
