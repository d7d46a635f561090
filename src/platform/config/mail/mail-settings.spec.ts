import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRODUCTION, problemsOf } from '../../../../test/harness/settings-of-production';
import { Settings } from '../settings';

describe('the settings for receiving mails (decisions 8)', () => {
  let dataDir: string;
  const read = (env: NodeJS.ProcessEnv = {}) => Settings.fromEnvironment({ DATA_DIR: dataDir, ...env });

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'docfetch-settings-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('receive no mails by default, and need a domain to do so', () => {
    expect(read()).toMatchObject({ smtpPort: null, inboxDomain: null, receivesMail: false });
    const given = { SMTP_PORT: '2525', INBOX_DOMAIN: 'Inbox.Example.com.' };
    expect(read(given)).toMatchObject({ smtpPort: 2525, inboxDomain: 'inbox.example.com', receivesMail: true });
    expect(read({ ...given, ROLE: 'worker' }).receivesMail).toBe(false);
    expect(read({ INBOX_DOMAIN: 'inbox.example.com' }).receivesMail).toBe(false);
    expect(problemsOf({ DATA_DIR: dataDir, SMTP_PORT: '2525' })).toEqual([
      'SMTP_PORT needs INBOX_DOMAIN, the domain of the addresses',
    ]);
    for (const domain of ['localhost', 'a..example.com', 'inbox@example.com', '192.0.2.1', '-a.example.com']) {
      expect(problemsOf({ ...given, DATA_DIR: dataDir, INBOX_DOMAIN: domain })).toEqual([
        `INBOX_DOMAIN must be a domain name, not "${domain}"`,
      ]);
    }
    expect(problemsOf({ ...given, DATA_DIR: dataDir, PORT: '2525' })).toEqual([
      'SMTP_PORT must be another port than PORT and METRICS_PORT',
    ]);
  });

  it('need a certificate to receive mails in production, except in a worker', () => {
    const given = { ...PRODUCTION, SMTP_PORT: '2525', INBOX_DOMAIN: 'inbox.example.com' };
    expect(problemsOf(given)).toEqual([expect.stringMatching(/^SMTP_TLS_CERTIFICATE is required in production/)]);
    expect(problemsOf({ ...given, ROLE: 'worker' })).toEqual([]);
    expect(problemsOf({ ...given, SMTP_TLS_KEY: 'key.pem' })).toContain(
      'SMTP_TLS_CERTIFICATE and SMTP_TLS_KEY need each other',
    );
    expect(problemsOf({ ...given, SMTP_TLS_KEY: 'key.pem', SMTP_TLS_CERTIFICATE: 'cert.pem' })).toEqual([]);
  });
});
