import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import type { Settings } from '../../platform/config/settings';
import { serveDocsSite } from './docs-site';

/** A server with the site of a folder and, as the API has it, an answer to everything else. */
function serverWith(folder: string, settings: Partial<Settings>) {
  const server = express();
  const app = { use: server.use.bind(server), get: () => settings } as unknown as NestExpressApplication;
  serveDocsSite(app, () => (_request, _response, next) => next(), [folder]);
  return server.use((_request, response) => void response.status(404).send('the API'));
}

function buildSite(folder: string, text: string, at: Date): void {
  mkdirSync(join(folder, 'guides/assets'), { recursive: true });
  writeFileSync(join(folder, 'guides/index.html'), text);
  writeFileSync(join(folder, '404.html'), 'nothing here');
  writeFileSync(join(folder, 'policy.json'), '{"scripts":[]}');
  utimesSync(join(folder, 'policy.json'), at, at);
}

describe('Without a built documentation site, the service', () => {
  let folder: string;
  let warn: jest.SpyInstance;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docfetch-site-'));
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(() => {
    warn.mockRestore();
    rmSync(folder, { recursive: true });
  });

  it('says so in production, answers 404 and leads from the root to the API', async () => {
    const server = serverWith(folder, { production: true });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('"npm run docs"'));
    await request(server).get('/guides/').expect(404, 'the API');
    await request(server).get('/').expect(302).expect('Location', '/docs');
  });

  it('serves it in development as soon as it is built, and when it is built once more', async () => {
    const server = serverWith(folder, { production: false });
    expect(warn).not.toHaveBeenCalled();
    await request(server).get('/guides/').expect(404, 'the API');
    buildSite(folder, 'first', new Date(1_000));
    await request(server).get('/guides/').expect(200, 'first');
    await request(server).get('/').expect(302).expect('Location', '/guides/');
    await request(server).get('/guides/other').expect(404, 'nothing here');
    writeFileSync(join(folder, 'guides/other.html'), 'other');
    buildSite(folder, 'second', new Date(2_000));
    await request(server).get('/guides/').expect(200, 'second');
    await request(server).get('/guides/other').expect(200, 'other');
  });
});
