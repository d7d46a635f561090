import { readFile } from 'node:fs/promises';
import { KmsUnavailable } from '../../availability/kms-unavailable';
import type { KmsKey } from '../../config/master-key';
import type { Settings } from '../../config/settings';
import { isTransient, type JsonResponse, postJson, reasonOf } from './json-request';
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
    return Buffer.from(await this.call('encrypt', { plaintext: dataKey.toString('base64') }, context, 'ciphertext'));
  }

  async unwrap(wrapped: Buffer, context: string): Promise<Buffer> {
    return Buffer.from(await this.call('decrypt', { ciphertext: wrapped.toString() }, context, 'plaintext'), 'base64');
  }

  private async call(verb: 'encrypt' | 'decrypt', input: object, context: string, member: string): Promise<string> {
    const [mount, name] = splitLast(this.key.resource);
    const body = { ...input, associated_data: Buffer.from(context).toString('base64') };
    const path = `${mount}/${verb}/${name}`;
    let response = await this.post(path, body, await this.token());
    if (response.status === 403 && this.signedIn) {
      this.signedIn = null; // the token was revoked before its lease ended
      response = await this.post(path, body, await this.token());
    }
    const { status, body: answer } = response;
    const given = (answer as { data?: Readonly<Record<string, unknown>> | null } | null)?.data?.[member];
    if (status === 200 && typeof given === 'string') return given;
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
    return postJson(`${vaultAddress}/v1/${path}`, body, headers).catch((error: unknown) => this.away(error));
  }

  /** A locked Vault (503), a standby (472, 473) and the page of a proxy (200) pass, like an overload. */
  private refused({ status }: JsonResponse): KmsUnavailable {
    const passes = isTransient(status) || [200, 472, 473].includes(status);
    return new KmsUnavailable(this.key.id, `Vault: status ${status}`, passes);
  }

  private away(error: unknown): never {
    throw new KmsUnavailable(this.key.id, `Vault: ${reasonOf(error)}`, true, { cause: error });
  }
}

function splitLast(path: string): [string, string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, at), path.slice(at + 1)];
}
