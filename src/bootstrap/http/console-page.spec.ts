import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import helmet from 'helmet';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import type { Settings } from '../../platform/config/settings';
import { serveConsole } from './console-page';
import { securityPolicy } from './security-policy';

/** A server with the page of a folder and, as the API has it, an answer to everything else. */
function serverWith(folder: string, settings: Partial<Settings>) {
  const server = express();
  const app = { use: server.use.bind(server), get: () => settings } as unknown as NestExpressApplication;
  serveConsole(app, (directives) => helmet(securityPolicy('https://docfetch.test', directives)), [folder]);
  return server.use((_request, response) => void response.status(404).send('the API'));
}

describe('the page of the console', () => {
  let folder: string;
  let warn: jest.SpyInstance;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docfetch-console-'));
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(() => {
    warn.mockRestore();
    rmSync(folder, { recursive: true });
  });

  it('is missing without a build, which the log says in production', async () => {
    await request(serverWith(folder, { production: false }))
      .get('/console/')
      .expect(404, 'the API');
    expect(warn).not.toHaveBeenCalled();
    await request(serverWith(folder, { production: true }))
      .get('/console/')
      .expect(404, 'the API');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('"npm run build"'));
  });

  it('is served with a strict policy, and its files may be kept', async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), 'the page');
    writeFileSync(join(folder, 'assets/main-1.js'), 'let a;');
    const server = serverWith(folder, { production: true });
    const { headers } = await request(server).get('/console/').expect(200, 'the page');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none';script-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const file = await request(server).get('/console/assets/main-1.js').expect(200, 'let a;');
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    await request(server).get('/console').expect(308).expect('Location', '/console/');
    for (const path of ['/console/index.html', '/console/other', '/console/assets/', '/console/assets/../index.html'])
      await request(server).get(path).expect(404, 'the API');
    await request(server).post('/console/').expect(404, 'the API');
  });
});
