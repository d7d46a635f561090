import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestWithoutCredentials } from '../../harness/app/test-client';
import { startApp, type TestApp } from '../../harness/app/start-app';

describe('GET /openapi.json', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app?.stop());

  it('returns the committed document, with the URL of the installation', async () => {
    const committed = JSON.parse(readFileSync(join(__dirname, '../../../openapi.json'), 'utf8'));
    const { text } = await requestWithoutCredentials(app, 'get', '/openapi.json').expect(200);
    const [{ url, description }] = JSON.parse(text).servers;
    expect([url, description]).toEqual([expect.stringMatching(/^https?:\/\/[^/]+$/), 'This installation.']);
    const anywhere = JSON.parse(text.replaceAll(url, 'https://docfetch.example.com'));
    expect({ ...anywhere, servers: committed.servers }).toEqual(committed);
  });
});
