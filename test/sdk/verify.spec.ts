import { InvalidReturnUrl, verifyReturnUrl as verifyByTheService } from '../../src/auth/ui-token/return-url';
import { sign } from '../../src/provisioning/shared/sign';
import { VerificationError, verifyPush, verifyReturnUrl, verifyWebhook } from '../../sdk/typescript/dist/verify.js';
import messages from '../samples/signatures/messages.json';
import returnUrls from '../samples/signatures/return-urls.json';

const SECRET = messages[0]!.secrets[0]!;

/** The response, or the reason of the refusal. */
async function outcomeOf(act: () => unknown): Promise<unknown> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof VerificationError || error instanceof InvalidReturnUrl) return error.reason;
    throw error;
  }
}

describe('verifyReturnUrl (decisions 3 "Return")', () => {
  it.each(returnUrls.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const { url, secrets, parameters, reason } = vector;
    const options = {
      now: new Date(vector.now),
      ...('tolerance_seconds' in vector && { toleranceSeconds: vector.tolerance_seconds }),
    };
    const expected = reason ?? parameters;
    expect(await outcomeOf(() => verifyReturnUrl(url, secrets, options))).toEqual(expected);
    expect(await outcomeOf(() => verifyByTheService(url, secrets, options))).toEqual(expected);
  });

  it('takes one secret as a text', async () => {
    const { url, now, parameters } = returnUrls[0]!;
    expect(await verifyReturnUrl(url, SECRET, { now: new Date(now) })).toEqual(parameters);
  });

  it('uses the clock when no time is given', async () => {
    expect(await outcomeOf(() => verifyReturnUrl(returnUrls[0]!.url, SECRET))).not.toEqual(returnUrls[0]!.parameters);
  });
});

describe('verifyPush (Standard Webhooks)', () => {
  it.each(messages.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const { body, secrets, reason } = vector;
    const headers = vector.headers as Record<string, string>;
    const options = { now: new Date(vector.now) };
    const expected = reason ?? (JSON.parse(body) as unknown);
    const bytes = new TextEncoder().encode(body);
    for (const form of [body, bytes, Buffer.from(body), bytes.buffer]) {
      expect(await outcomeOf(() => verifyPush(form, headers, secrets, options))).toEqual(expected);
    }
    expect(await outcomeOf(() => verifyPush(body, new Headers(headers), secrets, options))).toEqual(expected);
    expect(await outcomeOf(() => verifyWebhook(body, headers, secrets, options))).toEqual(expected);
  });

  it("accepts the service's signature with any of its secrets", async () => {
    const at = new Date('2026-11-20T08:30:00Z');
    const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    const body = JSON.stringify({ text: 'ü'.repeat(1000) });
    const secrets = [SECRET, other].map((secret) => ({ secret, retiresAt: null }));
    const headers = await sign(secrets, 'id', at, [Buffer.from(body)]);
    for (const secret of [SECRET, other]) {
      expect(await verifyPush(body, { ...headers }, secret, { now: at })).toEqual(JSON.parse(body));
    }
  });

  it('does not take a header that Node gives as a list', async () => {
    const { body, headers, now } = messages[0]!;
    const list = { ...(headers as Record<string, string>), 'webhook-id': ['a', 'b'] };
    expect(await outcomeOf(() => verifyPush(body, list, SECRET, { now: new Date(now) }))).toBe('SIGNATURE_MISSING');
  });
});

describe('the secret', () => {
  it.each([[[]], [''], ['whsec_'], [[SECRET, '']], ['whsec_not base64!'], [[SECRET, 'whsec_*']]])(
    'is refused when anybody has it, or it is none: %j',
    async (secrets) => {
      await expect(verifyReturnUrl(returnUrls[0]!.url, secrets)).rejects.toThrow(TypeError);
      await expect(verifyPush('{}', {}, secrets)).rejects.toThrow(TypeError);
    },
  );
});
