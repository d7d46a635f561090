/**
 * The folders whose spec files run together, by the name of their suite: `unit/platform` is `unit/platform.suite.ts`. Those
 * that take longest come first: they begin first, so that all workers end at about the same time. To load the application
 * takes six seconds of processor time, so the e2e suites are few: two for each of three workers, of about the same length.
 */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  'e2e/connectors': [
    'test/contract',
    ...['documents', 'setup', 'deletion'].map((folder) => `test/e2e/${folder}`),
    ...['lifecycle', 'sandbox', 'setup', 'state'].map((folder) => `test/e2e/connections/${folder}`),
  ],
  'e2e/sources': ['fetches/sources', 'auth', 'identities', 'integrations'].map((folder) => `test/e2e/${folder}`),
  'e2e/processes': [
    ...['cli', 'encryption', 'start', 'transfers'].map((folder) => `test/e2e/${folder}`),
    ...['circuit', 'redelivery', 'webhooks'].map((folder) => `test/e2e/provisioning/${folder}`),
  ],
  'e2e/transactions': [
    ...['transactions', 'timeline', 'events', 'environment', 'sdk', 'seed', 'examples', 'main-path'],
    ...['fetches/sandbox', 'fetches/scheduling'],
  ].map((folder) => `test/e2e/${folder}`),
  'e2e/platform': ['platform', 'connections/oauth', 'connections/webhooks'].map((folder) => `test/e2e/${folder}`),
  'e2e/push': [
    ...['provisioning/push', 'inbox'].map((folder) => `test/e2e/${folder}`),
    ...['api', 'execution', 'failures'].map((folder) => `test/e2e/fetches/${folder}`),
  ],
  'unit/providers': ['src/integrations/declarative', 'src/integrations/providers'],
  'unit/connectors': [
    ...['box', 'core', 'dropbox', 'ftp', 'gmail', 'google-drive', 'mail-inbox', 'microsoft-drive', 'outlook'],
    ...['s3', 'sandbox', 'sandbox-oauth', 'sftp', 'webdav'],
  ].map((connector) => `src/integrations/${connector}`),
  'unit/mail': ['src/integrations/imap', 'src/integrations/shared'],
  'unit/platform': ['src/platform'],
  'unit/tools': [
    'connect/src',
    'console/src',
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
      'console',
      'fetches',
      'identities',
      'inbox',
      'provisioning',
      'timeline',
      'transfers',
    ].map((module) => `src/${module}`),
    'src/transactions',
  ],
  'unit/documents': ['src/documents'],
};

/** The same of `npm run test:long`: three that begin at once, and a shorter one after each of them. */
export const LONG_SUITES: typeof SUITES = {
  'long/fetches': ['test/e2e/fetches'],
  'long/platform': ['examples', 'platform', 'start', 'transfers'].map((folder) => `test/e2e/${folder}`),
  'long/provisioning': ['test/e2e/provisioning', 'test/e2e/transactions'],
  'long/packages': ['test/connect', 'test/sdk', 'tools'],
  'long/unit': ['src'],
  'long/deletion': ['test/e2e/deletion'],
};

/** The same of `npm run test:ui`, whose two workers take the first and the last, and those between. */
export const UI_SUITES: typeof SUITES = {
  'ui/views': ['test/ui/views'],
  'ui/console': ['test/ui/console'],
  'ui/quality': ['test/ui/quality'],
  'ui/setup': ['test/ui/setup'],
  'ui/embedding': ['test/ui/connect', 'test/ui/embedding'],
};

/**
 * What `npm run test:pooler` takes of the e2e tests, by the mode of the pooler: the specs that start and stop processes, migrate,
 * copy tables, lock rows or run many transactions at once. The others send the same kinds of statements, and every run of
 * e2e tests checks that no statement needs the session of an earlier one (test/setup/conformance.ts). In session mode, the
 * service sends the statements of a direct connection.
 */
export const POOLER_SUITES: typeof SUITES = {
  'pooler/transaction/deliveries': [
    ...['main-path', 'provisioning', 'fetches/execution', 'connections/lifecycle'].map(
      (folder) => `test/e2e/${folder}`,
    ),
  ],
  'pooler/transaction/records': [
    ...['start', 'cli', 'transactions', 'transfers', 'deletion', 'identities'].map((folder) => `test/e2e/${folder}`),
    ...['database', 'history', 'idempotency', 'rate-limit'].map((folder) => `test/e2e/platform/${folder}`),
  ],
  'pooler/session/records': [
    ...['start', 'transfers', 'deletion', 'provisioning/redelivery'].map((folder) => `test/e2e/${folder}`),
    ...['database', 'history', 'idempotency'].map((folder) => `test/e2e/platform/${folder}`),
  ],
};
