/**
 * The spec files that run together, as folders or single files, by the name of their suite: `unit/platform` is
 * `unit/platform.suite.ts`. Those that take longest come first: they begin first, so that all workers end at about the same
 * time. To load the application takes six seconds of processor time, so the e2e suites are few. What `CONNECTOR_SUITES` or
 * `LONG_E2E_SUITES` lists runs only there.
 */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  'e2e/platform': ['platform', 'connections/oauth', 'setup'].map((folder) => `test/e2e/${folder}`),
  'e2e/connections': [
    ...['auth', 'documents', 'deletion', 'environment', 'main-path'],
    ...['lifecycle', 'sandbox', 'setup', 'state'].map((folder) => `connections/${folder}`),
  ].map((folder) => `test/e2e/${folder}`),
  'e2e/transactions': [
    ...['transactions', 'timeline', 'events', 'encryption', 'sdk', 'cli', 'start', 'transfers'],
    ...['sandbox', 'scheduling'].map((folder) => `fetches/${folder}`),
  ].map((folder) => `test/e2e/${folder}`),
  'e2e/push': ['provisioning', 'inbox'].map((folder) => `test/e2e/${folder}`),
  'e2e/fetches': [
    ...['identities', 'integrations', 'connections/webhooks'],
    ...['api', 'execution', 'failures'].map((folder) => `fetches/${folder}`),
  ].map((folder) => `test/e2e/${folder}`),
  'unit/integrations': [
    ...['core', 'declarative', 'sandbox', 'sandbox-oauth', 'shared'].map((folder) => `src/integrations/${folder}`),
  ],
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

/**
 * The same of `npm run test:connectors`: what grows with every connector. `npm test` has the contract of some connectors
 * (test/e2e/integrations/contract.e2e-spec.ts), and the code that they share.
 */
export const CONNECTOR_SUITES: typeof SUITES = {
  'connectors/contract': ['test/contract'],
  'connectors/sources': ['test/e2e/fetches/sources'],
  'connectors/protocols': [
    ...['box', 'dropbox', 'ftp', 'gmail', 'google-drive', 'imap', 'mail-inbox', 'microsoft-drive', 'outlook', 's3'],
    ...['sftp', 'webdav'],
  ].map((connector) => `src/integrations/${connector}`),
  'connectors/providers': ['src/integrations/providers'],
};

/**
 * E2e tests that `npm run test:long` takes, too: they start processes of the service and of the examples, or send many requests
 * (that of isolation does for every route and caller), and wait for many deliveries. The poolers and a run with paths take them
 * as any others.
 */
export const LONG_E2E_SUITES: typeof SUITES = {
  'long/processes': ['start/start', 'start/storage', 'start/command-line']
    .concat('transfers/move-environment', 'transfers/move-during-replacement')
    .map((name) => `test/e2e/${name}.e2e-spec.ts`)
    .concat('test/e2e/examples', 'test/e2e/seed'),
  'long/deliveries': [
    ...[
      'push/hanging-endpoints',
      'push/retries',
      'push/unwritten-results',
      'circuit/open-circuit',
      'circuit/retry-after',
    ]
      .concat('redelivery/redeliver-transactions')
      .map((name) => `provisioning/${name}`),
    ...['acknowledge-transactions', 'acknowledge-during-delivery', 'read-feed'].map((name) => `transactions/${name}`),
  ].map((name) => `test/e2e/${name}.e2e-spec.ts`),
  'long/load': [
    ...['two-instances', 'lease-takeover', 'fairness'].map((name) => `fetches/scheduling/${name}`),
    ...['paged-listing', 'rate-limits', 'stalled-source', 'stop-during-fetch'].map(
      (name) => `fetches/execution/${name}`,
    ),
    ...['bucket-storage', 'bucket-unavailable'].map((name) => `documents/${name}`),
    ...['auth/rate-limits', 'connections/oauth/refresh-token', 'encryption/reencrypt-contents'],
    'platform/isolation/isolation',
  ].map((name) => `test/e2e/${name}.e2e-spec.ts`),
};

/** The same of `npm run test:long`, whose workers take them after those of `LONG_E2E_SUITES`. */
export const LONG_SUITES: typeof SUITES = {
  'long/fetches': ['test/e2e/fetches'],
  'long/platform': ['examples', 'platform', 'start'].map((folder) => `test/e2e/${folder}`),
  'long/provisioning': ['test/e2e/provisioning', 'test/e2e/transactions'],
  'long/packages': ['test/connect', 'test/sdk', 'tools'],
  'long/unit': ['src'],
  'long/deletion': ['test/e2e/deletion'],
  'long/transfers': ['test/e2e/transfers'],
};

/** The same of `npm run test:ui`, in the order in which its two workers end at the same time. */
export const UI_SUITES: typeof SUITES = {
  'ui/console': ['test/ui/console'],
  'ui/quality': ['test/ui/quality'],
  'ui/setup': ['test/ui/setup'],
  'ui/views': ['test/ui/views'],
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
