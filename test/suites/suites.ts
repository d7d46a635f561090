/** The folders whose spec files run together, by the name of their suite: `unit/platform` is `unit/platform.suite.ts`. */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  'unit/application': [
    ...['api-docs', 'auth', 'bootstrap', 'cli', 'connections', 'fetches', 'identities', 'provisioning', 'timeline'].map(
      (module) => `src/${module}`,
    ),
    'src/transactions',
  ],
  'unit/connectors': [
    ...['box', 'core', 'dropbox', 'ftp', 'gmail', 'google-drive', 'microsoft-drive', 'outlook', 's3', 'sandbox'].map(
      (connector) => `src/integrations/${connector}`,
    ),
    ...['sandbox-oauth', 'sevdesk', 'sftp', 'stripe', 'webdav'].map((connector) => `src/integrations/${connector}`),
  ],
  'unit/documents': ['src/documents'],
  'unit/mail': ['src/integrations/imap', 'src/integrations/shared'],
  'unit/platform': ['src/platform'],
  'unit/tools': ['sdk', 'test/fakes', 'test/guides', 'test/harness', 'test/sdk', 'test/suites', 'tools', 'ui/src'],
  'e2e/auth': ['test/e2e/auth', 'test/e2e/identities', 'test/e2e/integrations'],
  'e2e/connections': ['lifecycle', 'sandbox', 'setup', 'state'].map((folder) => `test/e2e/connections/${folder}`),
  'e2e/connectors': ['test/contract'],
  'e2e/documents': ['test/e2e/documents', 'test/e2e/setup', 'test/e2e/deletion'],
  'e2e/fetches': ['api', 'execution', 'failures', 'sandbox', 'scheduling'].map(
    (folder) => `test/e2e/fetches/${folder}`,
  ),
  'e2e/oauth': ['test/e2e/connections/oauth', 'test/e2e/connections/webhooks'],
  'e2e/platform': ['test/e2e/platform'],
  'e2e/processes': ['test/e2e/cli', 'test/e2e/start'],
  'e2e/provisioning': ['test/e2e/provisioning'],
  'e2e/sdk': ['test/e2e/sdk', 'test/e2e/seed', 'test/e2e/examples', 'test/e2e/main-path'],
  'e2e/sources': ['test/e2e/fetches/sources'],
  'e2e/transactions': ['transactions', 'timeline', 'events', 'environment'].map((folder) => `test/e2e/${folder}`),
};
