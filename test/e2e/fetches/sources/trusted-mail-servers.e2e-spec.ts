import { X509Certificate } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { TlsProxy } from '../../../fakes/tls-proxy';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { CertificateAuthority, type KeyAndCertificate } from '../../../harness/certificates';
import { expectError } from '../../../harness/http/expect-error';
import { getConnection, TestEngine } from '../../../harness/engine/test-engine';

const PASSWORD = 'hunter2-password';

interface Refused {
  readonly message: string;
  readonly fingerprint?: string;
}

describe('A mail server that the user typed and whose certificate is not trusted (decisions 2)', () => {
  let engine: TestEngine;
  let client: TestClient;
  let authority: CertificateAuthority;
  let mailbox: FakeImapServer;
  let front: TlsProxy;
  const trusted = getCACertificates('default');

  beforeAll(async () => {
    authority = await CertificateAuthority.create();
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  beforeEach(async () => {
    mailbox = await FakeImapServer.start({ users: [{ user: 'anna', password: PASSWORD }] });
  });
  afterEach(async () => {
    await front?.stop();
    await mailbox.stop();
    setDefaultCACertificates(trusted);
  });
  afterAll(() => engine.stop());

  const present = async (certificate: KeyAndCertificate, port?: number) =>
    (front = await TlsProxy.start(certificate, mailbox.port, port));
  const fields = (more: object = {}) => ({
    ...{ host: 'localhost', port: front.port, security: 'TLS' },
    ...{ user: 'anna', password: PASSWORD, ...more },
  });
  const create = async (given: object) => {
    const body = {
      integration_id: 'imap',
      name: 'Mailbox',
      identity_uuid: await client.createIdentity(),
      fields: given,
    };
    return client.request('post', '/v1/connections').send(body);
  };
  const created = async (given: object): Promise<string> => {
    const answer = await create(given);
    expect(answer.status).toBe(201);
    return (answer.body as { data: { uuid: string } }).data.uuid;
  };
  const refusedBy = ({ body }: { body: unknown }): Refused => (body as { errors: [Refused] }).errors[0];
  const update = async (uuid: string, given: object) => {
    const { identity_uuid } = (await getConnection(client, uuid)) as unknown as { identity_uuid: string };
    const token = await client.createToken(identity_uuid);
    return client.requestWithToken(token, 'put', `/v1/connections/${uuid}`).send({ fields: given });
  };
  const pinsOf = async (uuid: string) =>
    (
      await engine.rows<{ trusted_fingerprints: unknown }>(
        'select trusted_fingerprints from connection where uuid = $1',
        uuid,
      )
    )[0]!.trusted_fingerprints;
  const finish = async (uuid: string): Promise<void> => {
    const { identity_uuid } = (await getConnection(client, uuid)) as unknown as { identity_uuid: string };
    const token = await client.createToken(identity_uuid);
    await client.requestWithToken(token, 'put', `/v1/connections/${uuid}/step2`).send({ fields: {} }).expect(204);
  };

  it.each([
    ['has expired', () => authority.issue('localhost', { isExpired: true }), /expired/],
    ['is for another name', () => authority.issue('other.example'), /another name/],
    ['is self-signed', () => CertificateAuthority.selfSigned('localhost'), /self-signed/],
    [
      'has an unknown issuer',
      async () => (await CertificateAuthority.create()).issue('localhost'),
      /its issuer is unknown/,
    ],
  ])('reports that it %s and shows its fingerprint before a password is sent', async (_, issue, reason) => {
    setDefaultCACertificates([...trusted, authority.certificate]);
    await present(await issue());
    const refused = await create(fields());
    expectError(refused, 422, 'PROVIDER_UNREACHABLE', { 'fields.host': 'CERTIFICATE_INVALID' });
    expect(refusedBy(refused)).toMatchObject({
      message: expect.stringMatching(reason) as string,
      fingerprint: front.fingerprint,
    });
    expect(front.hasReceived(PASSWORD)).toBe(false);
    expect(mailbox.commands).toEqual([]);

    const uuid = await created(fields({ trusted_fingerprint: front.fingerprint.toLowerCase() }));
    expect(await pinsOf(uuid)).toEqual({ [`localhost:${front.port}`]: front.fingerprint });
    await finish(uuid);
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED' });
    const shown = await getConnection(client, uuid);
    expect(JSON.stringify(shown)).not.toContain('trusted_fingerprint');
  });

  it('is rejected with its current fingerprint when the user accepts another one', async () => {
    await present(await authority.issue('localhost'));
    const refused = await create(fields({ trusted_fingerprint: front.fingerprint.replace(/^../, 'AA') }));
    expectError(refused, 422, 'PROVIDER_UNREACHABLE', { 'fields.host': 'CERTIFICATE_INVALID' });
    expect(refusedBy(refused).fingerprint).toBe(front.fingerprint);
    expect(front.hasReceived(PASSWORD)).toBe(false);
  });

  it('is compared after STARTTLS as well', async () => {
    await mailbox.stop();
    mailbox = await FakeImapServer.start({ users: [{ user: 'anna', password: PASSWORD }], tls: 'starttls' });
    const typed = {
      ...{ host: 'localhost', port: mailbox.port, security: 'STARTTLS' },
      ...{ user: 'anna', password: PASSWORD },
    };
    const refused = await create(typed);
    expectError(refused, 422, 'PROVIDER_UNREACHABLE', { 'fields.host': 'CERTIFICATE_INVALID' });
    const { fingerprint } = refusedBy(refused);
    expect(mailbox.commands.filter((command) => /LOGIN|AUTH/.test(command))).toEqual([]);
    const uuid = await created({ ...typed, trusted_fingerprint: fingerprint });
    expect(await pinsOf(uuid)).toEqual({ [`localhost:${mailbox.port}`]: fingerprint });
    const wrong = fingerprint!.replace(/^../, (byte) => (byte === 'AA' ? 'BB' : 'AA'));
    const logins = mailbox.commands.filter((command) => /LOGIN|AUTH/.test(command)).length;
    expectError(await create({ ...typed, trusted_fingerprint: wrong }), 422, 'PROVIDER_UNREACHABLE', {
      'fields.host': 'CERTIFICATE_INVALID',
    });
    expect(mailbox.commands.filter((command) => /LOGIN|AUTH/.test(command))).toHaveLength(logins);
  });

  it('is rejected with another certificate until the user accepts it', async () => {
    await present(await CertificateAuthority.selfSigned('localhost'));
    const { port } = front;
    const uuid = await created(fields({ trusted_fingerprint: front.fingerprint }));
    await finish(uuid);
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED' });

    await front.stop();
    await present(await CertificateAuthority.selfSigned('localhost'), port);
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({
      status: 'FAILED',
      error_code: 'CERTIFICATE_INVALID',
    });
    expect(front.hasReceived(PASSWORD)).toBe(false);
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'ACTIVE',
      // Like a changed host key: only the user can decide about it.
      health: 'ACTION_REQUIRED',
      reason: {
        code: 'CERTIFICATE_INVALID',
        message: expect.stringMatching(/different certificate than the one that was accepted/) as string,
        action: 'UPDATE_CREDENTIALS',
      },
    });

    const refused = await update(uuid, {});
    expectError(refused, 422, 'PROVIDER_UNREACHABLE', { 'fields.host': 'CERTIFICATE_INVALID' });
    expect(refusedBy(refused)).toMatchObject({
      message: expect.stringMatching(/different certificate/) as string,
      fingerprint: front.fingerprint,
    });
    expect(front.hasReceived(PASSWORD)).toBe(false);
    expect((await update(uuid, { trusted_fingerprint: front.fingerprint })).status).toBe(200);
    expect(await pinsOf(uuid)).toEqual({ [`localhost:${port}`]: front.fingerprint });
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', trigger: 'RECOVERY' });
  });

  it('is trusted without confirmation when a public authority has signed it, and the fingerprint is removed when the connection is saved', async () => {
    await present(await CertificateAuthority.selfSigned('localhost'));
    const { port } = front;
    const uuid = await created(fields({ trusted_fingerprint: front.fingerprint }));
    await front.stop();
    setDefaultCACertificates([...trusted, authority.certificate]);
    await present(await authority.issue('localhost'), port);
    await finish(uuid);
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED' });
    expect((await update(uuid, {})).status).toBe(200);
    expect(await pinsOf(uuid)).toEqual({});
  });

  it('is trusted at its host and port only', async () => {
    const certificate = await CertificateAuthority.selfSigned('localhost');
    await present(certificate);
    const uuid = await created(fields({ trusted_fingerprint: front.fingerprint }));
    const other = await TlsProxy.start(certificate, mailbox.port);
    try {
      const refused = await update(uuid, { port: other.port });
      expectError(refused, 422, 'PROVIDER_UNREACHABLE', { 'fields.host': 'CERTIFICATE_INVALID' });
      expect(other.hasReceived(PASSWORD)).toBe(false);
    } finally {
      await other.stop();
    }
  });

  it('can be trusted while a connection is migrated', async () => {
    await present(await CertificateAuthority.selfSigned('localhost'));
    const body = {
      ...{ integration_id: 'imap', name: 'Mailbox', identity_uuid: await client.createIdentity() },
      fields: fields({ trusted_fingerprint: new X509Certificate(front.cert).fingerprint256 }),
    };
    const answer = await client.request('post', '/v1/connections/migrate').send(body).expect(201);
    const { uuid } = (answer.body as { data: { uuid: string } }).data;
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('accepts no other format, and no fingerprint for integrations without a server field', async () => {
    await present(await CertificateAuthority.selfSigned('localhost'));
    for (const wrong of ['SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU', front.fingerprint.slice(3), 'x']) {
      expectError(await create(fields({ trusted_fingerprint: wrong })), 422, 'VALIDATION_FAILED', {
        'fields.trusted_fingerprint': 'INVALID_FORMAT',
      });
    }
    const sandbox = { user: 'u', password: 'p', trusted_fingerprint: front.fingerprint };
    const body = {
      integration_id: 'sandbox',
      name: 'x',
      identity_uuid: await client.createIdentity(),
      fields: sandbox,
    };
    expectError(await client.request('post', '/v1/connections').send(body), 422, 'VALIDATION_FAILED', {
      'fields.trusted_fingerprint': 'UNKNOWN_PROPERTY',
    });
  });
});
