/** The result of a session of the hosted UI, as it is in the signed address. Not verified: your backend verifies `url`. */
export interface DocfetchResult {
  /**
   * The signed address, for your backend to verify; valid for five minutes. Null if the hosted UI was closed before it was loaded, or
   * could not be loaded: nothing has been done then.
   */
  readonly url: string | null;
  readonly result: 'success' | 'cancelled' | 'error';
  readonly action: 'created' | 'updated' | 'deleted' | 'none';
  /** Null only without a token. */
  readonly identity_uuid: string | null;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  readonly status?: string;
  readonly state?: string;
}

const OPTIONAL = ['connection_uuid', 'integration_id', 'status', 'state'] as const;

/** Reads a signed address (decisions 3 "Return"); null for any other text. */
export function readResult(url: string): DocfetchResult | null {
  if (!URL.canParse(url)) return null;
  const query = new URL(url).searchParams;
  const [result, action, identity_uuid] = ['result', 'action', 'identity_uuid'].map((name) => query.get(name));
  if (!result || !action || !identity_uuid || !query.has('sig')) return null;
  const details = OPTIONAL.filter((name) => query.has(name)).map((name) => [name, query.get(name)]);
  return { url, result, action, identity_uuid, ...Object.fromEntries(details) } as DocfetchResult;
}

/** The address as it was before the service added and signed its parameters. */
export const withoutResult = (url: string): string => url.replace(/[?&]result=[^#]*/, '');
