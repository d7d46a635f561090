import { DECLARED_FAKES, startFake } from '../fakes/declared-fakes';
import type { FakeAccount } from '../fakes/described/fake-account';
import type { FakeProvider } from '../fakes/described/fake-provider';
import { type ApiTestServer, withCredentials, withOAuth } from './test-server';

/** More than the 100 records of a full page, for lists that do not state how long they are. */
const FILES = 115;
const PAGE = 30;
const DAY_MS = 86_400_000;

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** The test servers of all providers with a declared fake, by integration. */
export const DECLARED_SERVERS: Readonly<Record<string, () => Promise<ApiTestServer>>> = Object.fromEntries(
  Object.keys(DECLARED_FAKES).map((id) => [id, () => declaredServer(id)]),
);

async function declaredServer(id: string): Promise<ApiTestServer> {
  const server = await startFake(id);
  server.largestPage = PAGE;
  const account = server.account();
  for (let n = 0; n < FILES; n++) account.add(daysAgo(20 + (FILES - n) * 6));
  const last = account.add(daysAgo(10));
  server.declaration.others?.(account);
  const credentials = credentialsOf(server, account);
  return {
    ...credentials,
    step2: server.declaration.step2?.(account) ?? {},
    documents: FILES + 1,
    addDocument() {
      account.add(daysAgo(0));
      return credentials.fields;
    },
    beforeEachRequest(beforeRequest) {
      server.fault = () => {
        const seconds = beforeRequest();
        return seconds === undefined ? undefined : { status: 429, headers: { 'retry-after': String(seconds) } };
      };
    },
    removeDocument: () => account.remove(last),
  };
}

function credentialsOf(server: FakeProvider, account: FakeAccount) {
  const { authorization, declaration } = server;
  if (authorization) {
    return withOAuth(
      server,
      () => authorization.tokens().access_token,
      () => authorization.expireAccessTokens(),
    );
  }
  const { fields, create } = declaration.key!;
  return withCredentials(server, fields(account.key(), account), fields(create(), account));
}
