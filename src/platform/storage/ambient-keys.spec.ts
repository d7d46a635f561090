import { Logger } from '@nestjs/common';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CredentialServer, ROLE_ARN } from '../../../test/fakes/s3/credential-server';
import { FakeS3Server } from '../../../test/fakes/s3/fake-s3-server';
import { eventually } from '../../../test/harness/eventually';
import { freePort } from '../../../test/harness/free-port';
import { AmbientKeys } from './ambient-keys';
import { Bucket } from './bucket';
import { credentialService } from './credential-services';

const MINUTE = 60_000;

describe('The access keys of a bucket without keys in STORAGE_URL', () => {
  let server: FakeS3Server;
  let service: CredentialServer;
  let folder: string;
  let tokenFile: string;
  let bucket: Bucket;
  const environment = { ...process.env };

  beforeAll(async () => {
    server = await FakeS3Server.start();
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
    tokenFile = join(folder, 'token');
  });
  beforeEach(async () => {
    service = await CredentialServer.start(server);
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    process.env['AWS_CONFIG_FILE'] = process.env['AWS_SHARED_CREDENTIALS_FILE'] = join(folder, 'none');
    await writeFile(tokenFile, service.token);
    server.objects.clear();
    server.temporaryKeys.clear();
    const endpoint = `http://localhost:${server.port}`;
    const { region } = server.keys;
    bucket = new Bucket({ bucket: server.bucket, region, endpoint, addressing: 'path', prefix: '' }, undefined, 0);
  });
  afterEach(async () => {
    await bucket.close();
    await service.stop();
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    process.env = environment;
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const webIdentity = () =>
    Object.assign(process.env, {
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
      AWS_ROLE_ARN: ROLE_ARN,
      AWS_ENDPOINT_URL_STS: service.url,
    });
  const container = () =>
    Object.assign(process.env, {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${service.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
    });
  const instance = () => Object.assign(process.env, { AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url });
  const sources: [string, () => unknown, readonly string[]][] = [
    ['a web identity (IRSA)', webIdentity, ['POST /']],
    ['the agent of a container (EKS Pod Identity, ECS)', container, ['GET /v1/credentials']],
    [
      'an instance (IMDSv2)',
      instance,
      [
        'PUT /latest/api/token',
        'GET /latest/meta-data/iam/security-credentials/',
        'GET /latest/meta-data/iam/security-credentials/docfetch-bucket',
      ],
    ],
  ];
  const keysAt = (now: () => number = Date.now) =>
    new AmbientKeys((warn) => credentialService(server.keys.region, warn), now);
  const put = () => bucket.put('a', Buffer.from('x'));

  it.each(sources)('come from %s, once for many requests', async (_, configure, requests) => {
    configure();
    await Promise.all([put(), put(), put()]);
    expect((await bucket.get('a', Buffer.alloc(10)))!.toString()).toBe('x');
    expect(service.requests).toEqual(requests);
  });

  it('come from the environment', async () => {
    const { accessKey, secretKey } = server.keys;
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey });
    webIdentity();
    await put();
    expect(service.requests).toEqual([]);
  });

  it.each(sources)('are not refused for good while %s fails, and come when it answers again', async (_, configure) => {
    configure();
    service.failure = 500;
    await expect(put()).rejects.toMatchObject({
      name: 'StorageUnavailable',
      isTransient: true,
      message: expect.stringMatching(
        /^the bucket "belege" cannot be used: STORAGE_URL names no access keys, and none come from .+ \(.+\)$/,
      ),
    });
    expect(server.objects.size).toBe(0);
    service.failure = undefined;
    await eventually(
      () =>
        put().then(
          () => true,
          () => false,
        ),
      'the bucket can be used again',
    );
  });

  it('are unavailable for now when nothing listens', async () => {
    process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = `http://127.0.0.1:${await freePort()}`;
    await expect(put()).rejects.toMatchObject({
      isTransient: true,
      message: expect.stringMatching(/metadata service \(no session token of IMDSv2\)$/),
    });
  });

  it('need a change when AWS STS denies the role, or the token file is missing', async () => {
    webIdentity();
    service.failure = 'AccessDenied';
    const message =
      'the bucket "belege" cannot be used: STORAGE_URL names no access keys, and none come from AWS STS (AccessDenied)';
    await expect(put()).rejects.toMatchObject({ isTransient: false, message });
    process.env['AWS_WEB_IDENTITY_TOKEN_FILE'] = join(folder, 'nowhere');
    await expect(keysAt().get()).rejects.toMatchObject({ isTransient: false, message: /ENOENT/ as never });
  });

  it('are requested with the token that the file has at the time', async () => {
    webIdentity();
    let time = Date.now();
    const keys = keysAt(() => time);
    const first = await keys.get();
    service.token = 'second-token';
    await writeFile(tokenFile, service.token);
    time += 61 * MINUTE;
    expect(await keys.get()).not.toEqual(first);
  });

  it('are renewed five minutes before they expire, by one request, while the present ones are used', async () => {
    webIdentity();
    let time = Date.now();
    const keys = keysAt(() => time);
    const first = await keys.get();
    time += 54 * MINUTE;
    expect(await keys.get()).toBe(first);
    expect(service.requests).toHaveLength(1);
    let release = () => {};
    service.hold = () => new Promise<void>((resolve) => (release = resolve));
    time += 2 * MINUTE;
    for (const each of await Promise.all(Array.from({ length: 20 }, () => keys.get()))) expect(each).toBe(first);
    await eventually(() => Promise.resolve(service.requests.length === 2), 'the keys are being renewed');
    release();
    await eventually(async () => (await keys.get()) !== first, 'the new keys are used');
    expect(service.requests).toHaveLength(2);
  });

  it('are used until they expire when they cannot be renewed, which is logged', async () => {
    webIdentity();
    const logged = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    let time = Date.now();
    const keys = keysAt(() => time);
    const first = await keys.get();
    service.failure = 'InvalidIdentityToken';
    time += 57 * MINUTE;
    expect(await keys.get()).toBe(first);
    await eventually(() => Promise.resolve(logged.mock.calls.length > 0), 'the failure is logged');
    expect(logged.mock.calls[0]).toEqual([
      {
        err: expect.objectContaining({
          message: expect.stringMatching(
            /^STORAGE_URL names no access keys, and none come from AWS STS \(InvalidIdentityToken\w*\)$/,
          ),
        }),
        valid_until: expect.stringMatching(/^2.+Z$/),
      },
      'The access keys of the bucket cannot be renewed',
    ]);
    expect(JSON.stringify(logged.mock.calls)).not.toContain(service.token);
    expect(await keys.get()).toBe(first);
    time += 4 * MINUTE;
    await expect(keys.get()).rejects.toThrow('STORAGE_URL names no access keys, and none come from AWS STS');
  });

  it('are replaced when the bucket refuses them as expired', async () => {
    container();
    await put();
    for (const issued of server.temporaryKeys.values()) issued.isExpired = true;
    await expect(bucket.put('b', Buffer.from('y'))).rejects.toMatchObject({ isTransient: true });
    await bucket.put('b', Buffer.from('y'));
    expect(server.temporaryKeys.size).toBe(2);
  });
});
