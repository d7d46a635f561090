import request from 'supertest';
import { FakeS3Server } from '../../fakes/s3/fake-s3-server';
import { freePort } from '../../harness/free-port';
import { migratedDatabaseUrl } from '../../setup/database';
import { runEntryPoint } from './run-entry-point';
import { ServiceProcess } from './service-process';

describe('A service with STORAGE_URL', () => {
  let server: FakeS3Server;
  let env: Record<string, string>;
  let port: number;

  const urlOf = ({ secret = server.keys.secretKey, place = server.bucket } = {}) =>
    `s3://${place}?region=${server.keys.region}&endpoint=http://localhost:${server.port}` +
    `&access_key=${server.keys.accessKey}&secret_key=${secret}`;

  beforeAll(async () => {
    server = await FakeS3Server.start();
    port = await freePort();
    env = { DATABASE_URL: await migratedDatabaseUrl(), DATA_DIR: '/dev/null/docfetch', PORT: String(port) };
    for (const name of ['ENCRYPTION_KEYS', 'TOKEN_KEYS']) env[name] = `k:${Buffer.alloc(32, 1).toString('base64')}`;
  });
  afterEach(() => {
    server.fault = () => undefined;
  });
  afterAll(() => server.stop());

  it.each<[string, () => string, string]>([
    [
      'its keys are rejected',
      () => urlOf({ secret: 'hunter2' }),
      'the bucket "belege" cannot be used: 403 SignatureDoesNotMatch',
    ],
    ['it does not exist', () => urlOf({ place: 'andere' }), 'the bucket "andere" cannot be used: 404 NoSuchBucket'],
  ])('does not start when %s, and reports it in one line', async (_, STORAGE_URL, reason) => {
    const { status, stderr } = await runEntryPoint('main', { ...env, STORAGE_URL: STORAGE_URL() });
    expect({ status, stderr }).toEqual({ status: 1, stderr: `Docfetch could not start: ${reason}\n` });
  });

  it('starts while it is temporarily unavailable, and logs it', async () => {
    server.fault = () => ({ status: 503 });
    const service = await (await ServiceProcess.start('main', { ...env, STORAGE_URL: urlOf() })).ready();
    await request(`http://127.0.0.1:${port}`).get('/health/ready').expect(200);
    expect(service.stdout).toContain(
      'Documents cannot be stored or read for now: the bucket "belege" cannot be used: 503.',
    );
    expect(await service.kill('SIGTERM')).toMatchObject({ status: 0 });
  });
});
