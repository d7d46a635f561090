import { readFile } from 'node:fs/promises';
import { KmsUnavailable } from '../../availability/kms-unavailable';
import type { KmsKey } from '../../config/master-key';
import type { Settings } from '../../config/settings';
import { isTransient, type JsonResponse, postJson } from './json-request';
import { type Kms, notWrappedBy } from './kms';

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
/** A new token is requested after this part of the lease. */
const RENEW_AFTER = 0.7;

type VaultSettings = Pick<Settings, 'vaultAddress' | 'vaultToken' | 'vaultNamespace' | 'vaultKubernetesRole'>;

/**
 * A key of the transit engine of Vault or OpenBao, `<mount>/<name>`. The context is the associated data of the encryption, which
 * needs a key of an AEAD type, like the default `aes256-gcm96`.
 */
export class VaultTransit implements Kms {
  private signedIn: { readonly token: string; readonly until: number } | null = null;

  constructor(
    private readonly key: KmsKey,
    private readonly settings: VaultSettings,
    private readonly serviceAccountToken = SERVICE_ACCOUNT_TOKEN,
  ) {}

  async wrap(dataKey: Buffer, context: string): Promise<Buffer> {
    const { data } = await this.call('encrypt', { plaintext: dataKey.toString('base64') }, context);
    return Buffer.from(String(data.ciphertext));
  }

  async unwrap(wrapped: Buffer, context: string): Promise<Buffer> {
    const { data } = await this.call('decrypt', { ciphertext: wrapped.toString() }, context);
    return Buffer.from(String(data.plaintext), 'base64');
  }

  private async call(verb: 'encrypt' | 'decrypt', input: object, context: string) {
    const [mount, name] = splitLast(this.key.resource);
    const body = { ...input, associated_data: Buffer.from(context).toString('base64') };
    const path = `${mount}/${verb}/${name}`;
    let response = await this.post(path, body, await this.token());
    if (response.status === 403 && this.signedIn) {
      this.signedIn = null; // the token was revoked before its lease ended
      response = await this.post(path, body, await this.token());
    }
    const { status, body: answer } = response;
    const data = (answer as { data?: Readonly<Record<string, unknown>> } | null)?.data;
    if (status === 200 && data) return { data };
    if (status === 400 && verb === 'decrypt') throw notWrappedBy(this.key.id);
    throw this.refused(response);
  }

  private async token(): Promise<string> {
    const { vaultToken, vaultKubernetesRole: role } = this.settings;
    if (role === null) return vaultToken ?? '';
    if (this.signedIn && this.signedIn.until > performance.now()) return this.signedIn.token;
    const jwt = (await readFile(this.serviceAccountToken, 'utf8').catch((error: unknown) => this.away(error))).trim();
    const response = await this.post('auth/kubernetes/login', { role, jwt }, null);
    const { auth } = (response.body ?? {}) as { auth?: { client_token: string; lease_duration: number } };
    if (response.status !== 200 || !auth) throw this.refused(response);
    this.signedIn = {
      token: auth.client_token,
      until: performance.now() + auth.lease_duration * 1000 * RENEW_AFTER,
    };
    return auth.client_token;
  }

  private post(path: string, body: object, token: string | null): Promise<JsonResponse> {
    const { vaultAddress, vaultNamespace } = this.settings;
    const headers = {
      ...(token !== null && { 'x-vault-token': token }),
      ...(vaultNamespace !== null && { 'x-vault-namespace': vaultNamespace }),
    };
    const address = String(vaultAddress).replace(/\/$/, '');
    return postJson(`${address}/v1/${path}`, body, headers).catch((error: unknown) => this.away(error));
  }

  /** A locked Vault (503) and a standby (472, 473) pass, like an overload. */
  private refused({ status }: JsonResponse): KmsUnavailable {
    const passes = isTransient(status) || status === 472 || status === 473;
    return new KmsUnavailable(this.key.id, `Vault: status ${status}`, passes);
  }

  private away(error: unknown): never {
    const { code, name } = error as { code?: string; name?: string };
    throw new KmsUnavailable(this.key.id, `Vault: ${code ?? name}`, true, { cause: error });
  }
}

function splitLast(path: string): [string, string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, at), path.slice(at + 1)];
}
