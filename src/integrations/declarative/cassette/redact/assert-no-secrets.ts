/** Shorter ones occur by chance. */
const SHORTEST = 6;

/**
 * The last check before a cassette is written.
 * @throws Error when one of the secrets is in the text: as it is, in base64, or encoded for addresses or JSON
 */
export function assertNoSecrets(text: string, secrets: readonly string[]): void {
  const isThere = secrets.some(
    (secret) => secret.length >= SHORTEST && formsOf(secret).some((form) => text.includes(form)),
  );
  if (isThere)
    throw new Error('The cassette would contain a secret, so that it is not written. This is a fault of Docfetch.');
}

function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64Of(secret)];
}

/** What base64 of any text with the secret in it contains, wherever it begins: without the characters that others change. */
function base64Of(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const from = Math.ceil((before * 8) / 6);
    const until = Math.floor((bytes.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).slice(from, until));
  });
}
