/** A 256-bit key with the id that is stored with everything it protects. */
export interface NamedKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** A key that a key management service keeps: `awskms:<arn>`, `gcpkms:<resource name>`, `vault:<mount>/<name>`. */
export interface KmsKey {
  readonly id: string;
  readonly kms: 'awskms' | 'gcpkms' | 'vault';
  readonly resource: string;
}

/** One of `ENCRYPTION_KEYS`. */
export type MasterKey = NamedKey | KmsKey;

export const isKmsKey = (key: MasterKey): key is KmsKey => 'kms' in key;

const RESOURCES: Readonly<Record<KmsKey['kms'], RegExp>> = {
  awskms: /^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:(?:key|alias)\/[\w/-]+$/,
  gcpkms: /^projects\/[\w:.-]+\/locations\/[\w-]+\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+$/,
  vault: /^[\w-]+(?:\/[\w-]+)*\/[\w.-]+$/,
};

const ID = /^\s*([A-Za-z0-9_-]{1,32}):(.+?)\s*$/;

/** `id:base64,…` with 32 bytes each. The error text does not contain the value. */
export function keys(value: string): NamedKey[] {
  return list(value, 'must be a list of id:base64, each of 32 bytes', localKey);
}

/** The same, or `id:awskms:…`, `id:gcpkms:…`, `id:vault:…` for keys in a key management service. */
export function masterKeys(value: string): MasterKey[] {
  const form = 'must be a list of id:base64, each of 32 bytes, or of id:awskms:…, id:gcpkms:… or id:vault:…';
  return list<MasterKey>(value, form, (id, text) => kmsKey(id, text) ?? localKey(id, text));
}

function list<Key extends { readonly id: string }>(
  value: string,
  form: string,
  parse: (id: string, text: string) => Key | null,
): Key[] {
  const seen = new Set<string>();
  return value.split(',').map((part) => {
    const [, id, text] = ID.exec(part) ?? [];
    const key = id && text ? parse(id, text) : null;
    if (!key) throw new Error(form);
    if (seen.has(key.id)) throw new Error(`names the key "${id}" twice`);
    seen.add(key.id);
    return key;
  });
}

function localKey(id: string, text: string): NamedKey | null {
  const bytes = Buffer.from(/^[A-Za-z0-9+/_=-]+$/.test(text) ? text : '', 'base64');
  return bytes.length === 32 ? { id, bytes } : null;
}

function kmsKey(id: string, text: string): KmsKey | null {
  const [, kms, resource] = /^(awskms|gcpkms|vault):(.+)$/.exec(text) ?? [];
  if (!kms || !resource || !RESOURCES[kms as KmsKey['kms']].test(resource)) return null;
  return { id, kms: kms as KmsKey['kms'], resource };
}
