import { KmsUnavailable } from '../../availability/kms-unavailable';
import type { KmsKey } from '../../config/master-key';
import { isTransient, postJson, reasonOf } from './json-request';
import { type Kms, notWrappedBy } from './kms';

const URL = 'https://cloudkms.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/cloudkms';

/** Access tokens by the Application Default Credentials: key file, workload identity, metadata server. */
async function defaultAccessToken(): Promise<() => Promise<string | null | undefined>> {
  const { GoogleAuth } = await import('google-auth-library');
  const auth = new GoogleAuth({ scopes: [SCOPE] });
  return () => auth.getAccessToken();
}

/** A symmetric key of Google Cloud KMS (REST, v1: `cryptoKeys.encrypt` and `cryptoKeys.decrypt`). */
export class GoogleKms implements Kms {
  private getToken: Promise<() => Promise<string | null | undefined>> | null = null;

  constructor(
    private readonly key: KmsKey,
    private readonly tokenSource = defaultAccessToken,
    private readonly baseUrl = URL,
  ) {}

  async wrap(dataKey: Buffer, context: string): Promise<Buffer> {
    return this.call('encrypt', { plaintext: dataKey.toString('base64') }, context, 'ciphertext');
  }

  async unwrap(wrapped: Buffer, context: string): Promise<Buffer> {
    return this.call('decrypt', { ciphertext: wrapped.toString('base64') }, context, 'plaintext');
  }

  private async call(verb: 'encrypt' | 'decrypt', input: object, context: string, member: string): Promise<Buffer> {
    const additionalAuthenticatedData = Buffer.from(context).toString('base64');
    const { status, body } = await this.post(`${this.key.resource}:${verb}`, { ...input, additionalAuthenticatedData });
    const given = (body as Readonly<Record<string, unknown>> | null)?.[member];
    if (status === 200 && typeof given === 'string') return Buffer.from(given, 'base64');
    // INVALID_ARGUMENT: not a ciphertext of this key, or another context.
    if (status === 400 && verb === 'decrypt') throw notWrappedBy(this.key.id);
    const reason = (body as { error?: { status?: string } } | null)?.error?.status ?? `status ${status}`;
    throw new KmsUnavailable(this.key.id, `Google Cloud KMS: ${reason}`, isTransient(status) || status === 200);
  }

  private async post(path: string, body: object) {
    try {
      this.getToken ??= this.tokenSource();
      const token = await (await this.getToken)();
      return await postJson(`${this.baseUrl}/v1/${path}`, body, { authorization: `Bearer ${token}` });
    } catch (error) {
      throw new KmsUnavailable(this.key.id, `Google Cloud KMS: ${reasonOf(error)}`, true, { cause: error });
    }
  }
}
