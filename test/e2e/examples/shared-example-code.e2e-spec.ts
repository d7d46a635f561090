import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { itPrintsEvents } from './event-tests';

const EXAMPLES = resolve(__dirname, '../../../docs/examples');

describe('Shared code of the examples', () => {
  it('is identical in the marked parts, because each example is a single file', async () => {
    const [one, other] = await Promise.all(
      ['polling.mjs', 'webhook-pull.mjs'].map(async (file) => {
        const text = await readFile(join(EXAMPLES, file), 'utf8');
        return text.split('// From here on polling.mjs and webhook-pull.mjs are the same.\n')[1];
      }),
    );
    expect(one).toContain('async function download');
    expect(other).toBe(one);
  });

  it('is identical in the function that verifies the return address', async () => {
    const [one, other] = await Promise.all(
      ['verify-return-url.mjs', 'connect-page.mjs'].map(async (file) => {
        const text = await readFile(join(EXAMPLES, file), 'utf8');
        return /^(?:export )?(function verifyReturnUrl.*?^})$/ms.exec(text)?.[1];
      }),
    );
    expect(one).toContain('timingSafeEqual');
    expect(other).toBe(one);
  });

  for (const script of ['push-receiver.mjs', 'webhook-pull.mjs']) itPrintsEvents(script);
});
