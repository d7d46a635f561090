import { EntityManager } from '@mikro-orm/postgresql';
import request from 'supertest';
import {
  createDevelopmentLink,
  type DevelopmentAccess,
  openDevelopmentEnvironment,
} from '../../../src/bootstrap/development/development-environment';
import { welcome } from '../../../src/bootstrap/development/welcome';
import { ManageKeys } from '../../../src/auth/keys/manage-keys';
import { Environment } from '../../../src/identities/environments/environment.entity';
import { signIn } from '../../harness/http/console-session';
import { startApp, type TestApp } from '../../harness/app/start-app';

describe('The environment of an empty development database', () => {
  let app: TestApp;
  let first: DevelopmentAccess;
  beforeAll(async () => {
    app = await startApp();
    first = (await open())!;
  });
  afterAll(() => app.stop());

  const open = () => openDevelopmentEnvironment(app.app, app.url);
  const environments = () => app.app.get(EntityManager).fork().find(Environment, {});

  it('is a test environment whose key works', async () => {
    const { body } = await request(app.url).get('/v1/environment').set('X-API-KEY', first.created!.apiKey).expect(200);
    expect(body).toMatchObject({ data: { kind: 'TEST' } });
  });

  it('has a customer, whose hosted UI opens by the link', async () => {
    const token = new URL(first.uiUrl).searchParams.get('token')!;
    await request(app.url).get('/v1/connections').set('X-TOKEN', token).expect(200);
  });

  it('pushes its documents to the receiver of the examples', async () => {
    const [environment] = await environments();
    expect(environment).toMatchObject({ strategy: 'PUSH', provisioningUrl: 'http://127.0.0.1:4000/' });
  });

  it('is created once, and its secrets are returned once; a new link is made at every start', async () => {
    const again = (await open())!;
    expect(await environments()).toHaveLength(1);
    expect(again).toMatchObject({ environmentUuid: first.environmentUuid, created: null });
    expect(again.uiUrl).toMatch(/\/ui\?token=/);
    const printed = welcome(app.url, again, null).join('\n');
    expect(printed).toContain(`key issue --environment ${first.environmentUuid}`);
    expect(printed).not.toMatch(/df_test_|whsec_/);
  });

  it('is printed with its key, its link and the command that receives its documents', () => {
    const printed = welcome(app.url, first, null).join('\n');
    expect(printed).toContain(first.created!.apiKey);
    expect(printed).toContain(first.uiUrl);
    expect(printed).toContain(`SECRET='${first.created!.signingSecret}' node docs/examples/push-receiver.mjs`);
  });

  it('is opened in the console by another link at each start, for the support team', async () => {
    const url = (await createDevelopmentLink(app.app))!;
    expect(welcome(app.url, null, url).join('\n')).toContain(url);
    const { body } = await signIn(app, { link: new URL(url).hash.slice('#link='.length) }).expect(201);
    expect(body).toMatchObject({ data: { role: 'SUPPORT', environment_uuid: first.environmentUuid } });
    expect(await createDevelopmentLink(app.app)).not.toBe(url);
  });

  it('is left alone when its keys are revoked', async () => {
    const keys = app.app.get(ManageKeys, { strict: false });
    for (const { uuid } of await keys.list(first.environmentUuid)) await keys.revoke('test', uuid);
    expect(await open()).toBeNull();
    expect(await environments()).toHaveLength(1);
    expect(welcome(app.url, null, null).join('\n')).toContain('environment create');
  });
});
