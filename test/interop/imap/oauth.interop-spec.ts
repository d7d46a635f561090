import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { imap } from '../../../src/integrations/imap/imap';
import {
  AuthorizationRevoked,
  InvalidCredentials,
  UnexpectedResponse,
} from '../../../src/integrations/core/source-errors';
import { Dovecot, DOVECOT_USER } from './dovecot';
import { invoiceMail, pdfBytes } from './invoice-mails';
import { listAll, mailboxSession, type MailboxSession, read, sha256 } from './mailbox-session';
import { rejectionOf } from '../../harness/rejection-of';

const { user } = DOVECOT_USER;

describe.each(['xoauth2', 'oauthbearer'] as const)('The IMAP connector with OAuth (%s) and Dovecot', (mechanism) => {
  const systemAuthorities = getCACertificates('default');
  /** The user of each valid access token. */
  const valid = new Map<string, string>();
  const sessions: MailboxSession[] = [];
  let introspection: Server;
  let introspected: string[] = [];
  let dovecot: Dovecot;

  beforeAll(async () => {
    // The token introspection endpoint of an authorization server (RFC 7662).
    introspection = createServer((request, response) => {
      void text(request).then((body) => {
        const token = new URLSearchParams(body).get('token') ?? '';
        introspected.push(token);
        const username = valid.get(token);
        const answer = username === undefined ? { active: false } : { active: true, username };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      });
    });
    await once(introspection.listen(0, '127.0.0.1'), 'listening');
    const { port } = introspection.address() as AddressInfo;
    const introspectionUrl = `http://client:secret@127.0.0.1:${port}/introspect`;
    dovecot = await Dovecot.start({ oauth: { introspectionUrl, mechanism } });
    setDefaultCACertificates([...systemAuthorities, dovecot.ca]);
  });
  beforeEach(() => {
    valid.clear();
    introspected = [];
  });
  afterEach(async () => {
    for (const each of sessions.splice(0)) await each.end();
  });
  afterAll(async () => {
    setDefaultCACertificates(systemAuthorities);
    await dovecot.stop();
    introspection.close();
  });

  /** A session with an access token, and with those that follow when one is refused; then the authorization is revoked. */
  function session(...tokens: string[]): MailboxSession {
    const opened = mailboxSession({
      fields: { host: 'imap.example.invalid', port: 993, security: 'TLS', user },
      apiBaseUrl: `imaps://${dovecot.host}:${dovecot.tlsPort}`,
      accessToken: (refused) => {
        if (refused === tokens[0]) tokens.shift();
        const [token] = tokens;
        return token === undefined
          ? Promise.reject(new AuthorizationRevoked('The refresh token is no longer valid.'))
          : Promise.resolve(token);
      },
    });
    sessions.push(opened);
    return opened;
  }
  it('fetches with an access token that the authorization server knows', async () => {
    valid.set('good', user);
    await dovecot.deliver('INBOX', invoiceMail('Rechnung.pdf').build());
    const opened = session('good');
    expect(await imap.check(opened)).toMatchObject({ display: user });
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(['Rechnung.pdf']);
    const content = await read(imap, opened, documents[0]!);
    expect(sha256(content)).toBe(sha256(pdfBytes('Rechnung.pdf')));
    expect(new Set(introspected)).toEqual(new Set(['good']));
  });

  it('renews a token that has expired, once', async () => {
    valid.set('new', user);
    expect(await imap.check(session('expired', 'new'))).toMatchObject({ display: user });
    expect(introspected).toEqual(['expired', 'new']);
  });

  it('reports an authorization that was revoked', async () => {
    const error = await rejectionOf(imap.check(session('withdrawn')));
    expect(error).toBeInstanceOf(AuthorizationRevoked);
    expect(error).toMatchObject({ reason: 'CONSENT_REVOKED' });
    expect(String(error)).not.toContain('withdrawn');
  });

  it('reports that the account may not read the mailbox, after one renewal', async () => {
    valid.set('of another', 'bert@example.com').set('of another again', 'bert@example.com');
    const error = await rejectionOf(imap.check(session('of another', 'of another again', 'never used')));
    expect(error).toBeInstanceOf(InvalidCredentials);
    expect(error).toMatchObject({ reason: 'LOGIN_REJECTED_NO_ACCESS', field: 'user' });
    expect(introspected).toEqual(['of another', 'of another again']);
  });

  it('sends no token to a server without such logins', async () => {
    const plain = await Dovecot.start();
    setDefaultCACertificates([...systemAuthorities, dovecot.ca, plain.ca]);
    try {
      const opened = { ...session('good'), apiBaseUrl: `imaps://${plain.host}:${plain.tlsPort}` };
      expect(await rejectionOf(imap.check(opened))).toBeInstanceOf(UnexpectedResponse);
      expect(introspected).toEqual([]);
    } finally {
      await plain.stop();
    }
  });
});
