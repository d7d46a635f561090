import { randomUUID } from 'node:crypto';
import { expectError } from './expect-error';
import { itRequiresAuthentication } from './access-tests';
import type { TestContext } from '../app/test-context';

/** Declares a test for each request for a transaction that a key may not access, and for the order of these checks. */
export function itChecksTransactionAccess(
  context: TestContext,
  route: {
    readonly method: 'get' | 'post';
    readonly path: (transaction: string) => string;
    /** A transaction of `context.client`. */
    readonly own: () => string;
  },
): void {
  const { method, path, own } = route;
  itRequiresAuthentication(context, { method, path: () => path(own()), accepts: ['key'] });

  /** An invalid body proves that the request is rejected before the body is parsed. */
  const ask = (uuid: string, lang: string, by = context.client) =>
    by.request(method, path(uuid)).set('Lang', lang).set('Content-Type', 'application/json').send('{"');

  it.each(['en', 'de'] as const)(
    'rejects a uuid that is not a transaction of the key’s environment (%s)',
    async (lang) => {
      const malformed = { transaction_uuid: 'INVALID_UUID' };
      expectError(await ask('not-a-uuid', lang), 422, 'VALIDATION_FAILED', malformed, lang);
      expectError(await ask(randomUUID(), lang), 404, 'TRANSACTION_NOT_FOUND', {}, lang);
      expectError(await ask(own(), lang, context.otherClient), 403, 'NOT_YOUR_TRANSACTION', {}, lang);
    },
  );

  it('answers 403 to a key with a token of another identity, or of another scope', async () => {
    const both = (token: string) => context.client.request(method, path(own())).set('X-TOKEN', token).send();
    expectError(await both(context.otherIdentityToken), 403, 'NOT_YOUR_TRANSACTION');
    const mail = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expectError(await both(mail), 403, 'NOT_ALLOWED_BY_TOKEN');
  });
}
