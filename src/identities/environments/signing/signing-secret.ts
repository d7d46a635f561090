import { randomBytes } from 'node:crypto';
import { isRetired, type SigningSecret } from '../environment.entity';

/** Secrets that sign at the same time: each adds a signature to every message. */
const MAX_SECRETS = 3;

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** When a secret retires that is replaced now. */
export const retirementAfter = (now: Date, graceHours: number): Date =>
  new Date(now.getTime() + graceHours * 3_600_000);

/**
 * Puts a new secret in front. The others retire at `retiresAt`, those of earlier rotations no later than they would have; of more
 * than `MAX_SECRETS` the oldest ones are removed, and those that have retired.
 */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  secret: string,
  now: Date,
  retiresAt: Date,
): SigningSecret[] {
  const former = secrets
    .map((one) => (isRetired(one, retiresAt) ? one : { ...one, retiresAt: retiresAt.toISOString() }))
    .filter((one) => !isRetired(one, now));
  return [{ secret, retiresAt: null }, ...former].slice(0, MAX_SECRETS);
}

/** When the last of the former secrets stops signing; null when only the current one signs. */
export function formerSecretsEnd(secrets: readonly SigningSecret[], now: Date): Date | null {
  const ends = secrets.filter((one) => one.retiresAt !== null && !isRetired(one, now));
  return ends.length === 0 ? null : new Date(Math.max(...ends.map(({ retiresAt }) => Date.parse(retiresAt!))));
}
