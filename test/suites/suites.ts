/**
 * The folders whose spec files run together, by the name of their suite: `unit/platform` is `unit/platform.suite.ts`. Those
 * that take longest come first: they begin first, so that all workers end at about the same time. None should take more than
 * a minute and a half.
 */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  'e2e/sources': ['test/e2e/fetches/sources'],
  'e2e/processes': ['test/e2e/cli', 'test/e2e/start'],
  'e2e/push': ['test/e2e/provisioning/push'],
  'e2e/fetches': ['api', 'execution', 'failures'].map((folder) => `test/e2e/fetches/${folder}`),
  'e2e/platform': ['test/e2e/platform'],
  'e2e/provisioning': ['circuit', 'redelivery', 'webhooks'].map((folder) => `test/e2e/provisioning/${folder}`),
  'e2e/transactions': ['transactions', 'timeline', 'events', 'environment'].map((folder) => `test/e2e/${folder}`),
  'e2e/oauth': ['test/e2e/connections/oauth', 'test/e2e/connections/webhooks'],
  'e2e/sdk': ['test/e2e/sdk', 'test/e2e/seed', 'test/e2e/examples', 'test/e2e/main-path'],
  'e2e/connections': ['lifecycle', 'sandbox', 'setup', 'state'].map((folder) => `test/e2e/connections/${folder}`),
  'e2e/scheduling': ['test/e2e/fetches/sandbox', 'test/e2e/fetches/scheduling'],
  'e2e/auth': ['test/e2e/auth', 'test/e2e/identities', 'test/e2e/integrations'],
  'unit/connectors': [
    ...[
      'box',
      'core',
      'declarative',
      'dropbox',
      'ftp',
      'gmail',
      'google-drive',
      'microsoft-drive',
      'outlook',
      's3',
      'sandbox',
    ].map((connector) => `src/integrations/${connector}`),
    ...['mail-inbox', 'providers', 'sandbox-oauth', 'sftp', 'webdav'].map(
      (connector) => `src/integrations/${connector}`,
    ),
  ],
  'e2e/connectors': ['test/contract'],
  'unit/mail': ['src/integrations/imap', 'src/integrations/shared'],
  'e2e/documents': ['test/e2e/documents', 'test/e2e/inbox', 'test/e2e/setup', 'test/e2e/deletion'],
  'unit/platform': ['src/platform'],
  'unit/tools': [
    'connect/src',
    'sdk',
    'test/fakes',
    'test/guides',
    'test/harness',
    'test/sdk',
    'test/suites',
    'tools',
    'ui/src',
  ],
  'unit/application': [
    ...[
      'api-docs',
      'auth',
      'bootstrap',
      'cli',
      'connections',
      'fetches',
      'identities',
      'inbox',
      'provisioning',
      'timeline',
    ].map((module) => `src/${module}`),
    'src/transactions',
  ],
  'unit/documents': ['src/documents'],
};

/** The same of `npm run test:long`. */
export const LONG_SUITES: Readonly<Record<string, readonly string[]>> = {
  'long/unit': ['src', 'test/connect', 'test/sdk', 'tools'],
  'long/fetches': ['test/e2e/fetches'],
  'long/provisioning': ['test/e2e/provisioning', 'test/e2e/transactions'],
  'long/platform': ['test/e2e/deletion', 'test/e2e/examples', 'test/e2e/platform'],
};
