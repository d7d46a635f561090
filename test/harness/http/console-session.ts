import request, { type Response, type Test } from 'supertest';
import { CreateConsoleLink } from '../../../src/auth/console-sign-in/create-console-link';
import type { ConsoleRole } from '../../../src/platform/http/access/access.decorator';
import type { TestApp } from '../app/start-app';

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

/** A session of the console in a browser. */
export interface TestConsole {
  readonly sessionUuid: string;
  /** `name=value` */
  readonly cookie: string;
  readonly csrfToken: string;
  /** What the browser sends with each request of the page. */
  readonly headers: Readonly<Record<string, string>>;
  /** A request of the page; for a session of the support team, `environmentUuid` chooses the environment. */
  request(method: Method, path: string, environmentUuid?: string): Test;
}

/** The secret of a new link, as the support team creates it. */
export async function createLink(
  app: TestApp,
  environmentUuid: string,
  role: ConsoleRole = 'DEVELOPER',
  seconds = 900,
): Promise<string> {
  const create = app.app.get(CreateConsoleLink, { strict: false });
  const { url } = await create.create('cli:test', { environmentUuid, role, seconds });
  return url.split('#link=')[1]!;
}

/** Signs in with a link or an API key. */
export const signIn = (app: TestApp, body: object): Test => request(app.url).post('/v1/console/session').send(body);

/** Opens a session of the console. */
export async function openConsole(app: TestApp, environmentUuid: string, role?: ConsoleRole): Promise<TestConsole> {
  return consoleOf(app, await signIn(app, { link: await createLink(app, environmentUuid, role) }));
}

/** The session that a successful sign-in has opened. */
export function consoleOf(app: TestApp, { status, body, headers }: Response): TestConsole {
  expect(status).toBe(201);
  const { session_uuid, csrf_token } = (body as { data: { session_uuid: string; csrf_token: string } }).data;
  const cookie = (headers['set-cookie'] as unknown as string[])[0]!.split(';')[0]!;
  const own = { Cookie: cookie, 'X-CSRF-TOKEN': csrf_token };
  return {
    sessionUuid: session_uuid,
    cookie,
    csrfToken: csrf_token,
    headers: own,
    request: (method, path, environmentUuid) =>
      request(app.url)
        [method](path)
        .set({ ...own, ...(environmentUuid && { 'X-ENVIRONMENT': environmentUuid }) }),
  };
}
