import { randomBytes } from 'node:crypto';
import { configFolder } from '../config/config-folder';
import { OwnerOnlyFile } from '../config/owner-only-file';
import type { Context } from '../context';
import { CommandError } from '../failure';
import type { Messages } from '../messages/en';

const MIN_BYTES = 16;

/**
 * The secret that signs what `listen` forwards: `DOCFETCH_LOCAL_SECRET`, or one that was made once for this user. It has the
 * form of the environment's signing secret, which stays in the service.
 * @throws CommandError when the variable is not a secret
 */
export function localSecret(context: Context, messages: Messages): string {
  const given = context.env.DOCFETCH_LOCAL_SECRET;
  if (given) {
    if (!isSecret(given)) throw new CommandError(messages.notALocalSecret, 'INVALID_SECRET');
    return given;
  }
  const file = new OwnerOnlyFile<{ secret: string }>(configFolder(context), 'local-secret.json');
  const stored = file.read()?.secret;
  if (stored && isSecret(stored)) return stored;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  file.write({ secret });
  return secret;
}

function isSecret(text: string): boolean {
  const encoded = /^whsec_(.+)$/.exec(text)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= MIN_BYTES && bytes.toString('base64') === encoded;
}
