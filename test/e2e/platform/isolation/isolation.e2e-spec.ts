import type { OpenAPIObject } from '@nestjs/swagger';
import request from 'supertest';
import { describeApi } from '../../../../src/bootstrap/openapi/describe-api';
import { useTestContext } from '../../../harness/app/test-context';
import { openConsole } from '../../../harness/http/console-session';
import { type Attack, type IsolationCase, ROUTES } from './table';
import { type LimitedCredentials, limitedCredentials } from './limited-credentials';
import { createVictim, type Attacker, rowsOf, settled, createAttackers, type Victim } from './tenants';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & { readonly 'x-required-scopes'?: string[] };

const VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Verb = (typeof VERBS)[number];
type Headers = Readonly<Record<string, string>>;
const REFUSALS = [401, 403, 404];
/**
 * Routes that are not in the document: public ones, and `/metrics`, which has the operators' token and contains no
 * client data. The last one is where Nest registers its middleware.
 */
const UNDOCUMENTED =
  /^GET \/(docs|openapi\.json|openapi\.yaml|logos|metrics)\b|^(?:GET|POST) \/sandbox\/authorize$|^POST \/oauth\/start$|^[A-Z-]+ (\{\/\*splat\}|\/\{\*all\})$/;

/** Routes that change something by their method only, or whose request here changes nothing, each with the reason. */
const UNAUDITED: Readonly<Record<string, string>> = {
  'POST /v1/identities': 'answers the existing identity',
  'POST /v1/mail-accounts/discover': 'reads only',
  'POST /v1/connections/{uuid}/step2/{field_id}/more': 'reads only',
  'POST /v1/console/redeliveries/preview': 'reads only',
  'POST /v1/console/environments/{environment_uuid}/theme-preview': 'makes a link without effect',
  'DELETE /v1/console/session': 'a session ends only itself, and is needed for the other routes',
};

/** Texts that no response to this attacker may contain, unless the attacker sent them. */
function secretsOf(victim: Victim, attacker: Attacker, { path, body }: Attack): string[] {
  const sent = path + JSON.stringify(body ?? {});
  const marks = attacker.isSameIdentity ? victim.connectionMarks : [...victim.connectionMarks, ...victim.marks];
  return marks.filter((mark) => !sent.includes(mark));
}

describe('tenant isolation (spec 5 rule 5, decisions 3)', () => {
  const context = useTestContext({ role: 'all' });
  let document: OpenAPIObject;
  let victim: Victim;
  let attackers: Attacker[];
  let consoleHeaders: Headers;
  let supportHeaders: Headers;

  beforeAll(async () => {
    document = describeApi(context.app.app);
    victim = await createVictim(context);
    attackers = await createAttackers(context);
    consoleHeaders = (await openConsole(context.app, context.client.environmentUuid)).headers;
    supportHeaders = (await openConsole(context.app, context.client.environmentUuid, 'SUPPORT')).headers;
    expect(victim.connectionMarks.length).toBeGreaterThanOrEqual(6);
  });

  const send = (verb: Verb, { path, body }: Attack, headers: Headers) => {
    const asked = request(context.app.url)[verb](path).set(headers);
    return body === undefined ? asked : asked.send(body);
  };
  const auditedChanges = async () => (await context.query(`select from audit_log where actor like 'console:%'`)).length;
  /** With the version of the environment that it changes, if it has one. */
  const withVersion = async (attack: Attack): Promise<Attack> => {
    if (!attack.body || !('expected_updated_at' in attack.body)) return attack;
    const [row] = await context.query('select updated_at as expected_updated_at from environment where uuid = $1', [
      victim.environment,
    ]);
    return { ...attack, body: { ...attack.body, ...row } };
  };
  const documented = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      VERBS.filter((verb) => item[verb]).map((verb) => `${verb.toUpperCase()} ${path}`),
    );

  it('has every route of the OpenAPI document in its table, and no other', () => {
    // A new route: add it to isolation/table.ts.
    expect(Object.keys(ROUTES).sort()).toEqual(documented().sort());
  });

  it('finds every route of the running application in the OpenAPI document', () => {
    interface Layer {
      readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
    }
    const { router } = context.app.app.getHttpAdapter().getInstance() as { router: { stack: readonly Layer[] } };
    const served = router.stack.flatMap(({ route }) =>
      route ? Object.keys(route.methods).map((verb) => `${verb.toUpperCase()} ${route.path}`) : [],
    );
    const known = new Set(documented());
    const hidden = served
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'))
      .filter((route) => !known.has(route) && !UNDOCUMENTED.test(route));
    expect(served.length).toBeGreaterThan(25);
    expect(hidden).toEqual([]);
  });

  it.each(Object.entries(ROUTES))('%s', async (route, entry: IsolationCase) => {
    const verb = route.split(' ')[0]!.toLowerCase() as Verb;
    const before = await settled(context);
    const developer = { ...attackers[0]!, name: 'a developer of the environment', headers: consoleHeaders };
    for (const attacker of entry.supportOnly ? [...attackers, developer] : attackers) {
      for (const attack of entry.attacks(victim, attacker)) {
        const answer = await send(verb, attack, attacker.headers);
        const attempt = `${attacker.name}: ${attack.path} ${JSON.stringify(attack.body ?? '')} → ${answer.status}`;
        const mayAnswer = entry.answersOwn || (attack.after === 'identity' && attacker.isSameIdentity);
        const isRefused = [...REFUSALS, ...(entry.refusals ?? [])].includes(answer.status);
        const isRight = isRefused || (mayAnswer && answer.status >= 200 && answer.status < 300);
        expect([attempt, isRight]).toEqual([attempt, true]);
        const bytes = `${answer.text ?? ''}${JSON.stringify(answer.headers)}`;
        expect([attempt, secretsOf(victim, attacker, attack).filter((mark) => bytes.includes(mark))]).toEqual([
          attempt,
          [],
        ]);
      }
    }
    expect(await rowsOf(context, context.client.environmentUuid)).toEqual(before);
  });

  describe('of limited API keys of the environment itself (decisions 3)', () => {
    let limited: LimitedCredentials;
    beforeAll(async () => {
      limited = await limitedCredentials(context);
    });

    const requests = (): [string, Verb, IsolationCase, readonly string[], Operation][] =>
      Object.entries(ROUTES).flatMap(([route, entry]) => {
        const [name, path] = route.split(' ') as [string, string];
        const verb = name.toLowerCase() as Verb;
        const operation = document.paths[path]![verb]! as Operation;
        if (entry.supportOnly || !operation.security?.length) return [];
        const scopes = operation['x-required-scopes'] ?? [];
        return [[route, verb, entry, scopes, operation] satisfies ReturnType<typeof requests>[number]];
      });

    it('every route with credentials names its scopes and rejects keys, tokens and sessions without them', async () => {
      const before = await settled(context);
      for (const [route, verb, { attacks }, scopes, operation] of requests()) {
        if (scopes.length === 0) continue;
        for (const scope of scopes) {
          for (const [name, headers] of limited.without(scope, operation.security!)) {
            const attack = attacks(victim, { ...attackers[0]!, identity: victim.identity })[0]!;
            const { status, body } = await send(verb, attack, { ...headers, Lang: 'de' });
            const { code, detail } = body as { code?: string; detail?: string };
            const shown = [route, name, status, code, detail?.includes(scope)];
            expect(shown).toEqual([route, name, 403, 'KEY_SCOPE_MISSING', true]);
          }
        }
      }
      expect(await rowsOf(context, context.client.environmentUuid)).toEqual(before);
    });

    it('every route rejects keys and sessions from other addresses', async () => {
      const before = await settled(context);
      for (const [route, verb, { attacks }, , operation] of requests()) {
        for (const [name, headers] of limited.elsewhere(operation.security!)) {
          const attack = attacks(victim, { ...attackers[0]!, identity: victim.identity })[0]!;
          const { status, body } = await send(verb, attack, headers);
          // Too many of them are counted as guessing.
          const isRight = (body as { code: string }).code === 'ADDRESS_NOT_ALLOWED' ? status === 403 : status === 429;
          expect([route, name, status, isRight]).toEqual([route, name, status, true]);
        }
      }
      expect(await rowsOf(context, context.client.environmentUuid)).toEqual(before);
    });
  });

  // Attacks that fail even for the owner would prove nothing.
  const harmless = Object.entries(ROUTES).filter(([, { destroys }]) => !destroys);
  const destroying = Object.entries(ROUTES).filter(([, { destroys }]) => destroys);
  // Connections are deleted before their identity.
  const last = destroying.sort(([a], [b]) => Number(a.includes('identities')) - Number(b.includes('identities')));
  it.each([...harmless, ...last])('permits the owner: %s', async (route, { attacks, supportOnly }: IsolationCase) => {
    const [name, path] = route.split(' ') as [string, string];
    const verb = name.toLowerCase() as Verb;
    const { security } = document.paths[path]![verb]!;
    const accepts = (scheme: string) => security?.some((schemes) => scheme in schemes);
    // A session has access wherever a key has. Only its changes show that they are audited.
    const isBySession = accepts('ConsoleSession') || (verb !== 'get' && accepts('X-API-KEY'));
    const session = supportOnly ? supportHeaders : consoleHeaders;
    const other: Headers = accepts('X-API-KEY') ? { 'X-API-KEY': context.client.apiKey } : { 'X-TOKEN': context.token };
    const headers = isBySession ? session : other;
    const owner: Attacker = { ...attackers[0]!, name: 'the owner', headers, identity: victim.identity };
    const before = await auditedChanges();
    for (const attack of attacks(victim, owner)) {
      const { status } = await send(verb, await withVersion(attack), headers);
      // 409 and 422 show that access was permitted.
      expect([attack, REFUSALS.includes(status) || status >= 500]).toEqual([attack, false]);
    }
    if (verb === 'get' || !isBySession) return;
    // A change that leaves no entry: record it in the audit log (decisions 7), or say in UNAUDITED why not.
    expect([route, (await auditedChanges()) > before]).toEqual([route, !(route in UNAUDITED)]);
  });

  it('leaves the resource intact until its owner deletes it', async () => {
    const [row] = await context.query('select 1 from identity where uuid = $1', [victim.identity]);
    expect(row).toBeUndefined();
  });
});
