import { Logger } from '@nestjs/common';
import { withTimeout } from '../concurrency/cancellation';
import { type AccessKeys, KeysUnavailable, type KeySource } from './access-keys';
import type { Credentials, CredentialService } from './credential-services';

/** Keys are renewed this long before they expire. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** The pause between renewals while the present keys are valid, and after a failure without valid keys. */
const RENEWAL_PAUSE_MS = 30_000;
const FAILURE_PAUSE_MS = 1_000;
/** The timeout of one renewal, retries included. */
const LONGEST_MS = 15_000;
/** Errors of AWS STS and of files that an operator has to correct. */
const PERMANENT =
  /^(?:AccessDenied|InvalidIdentityToken|IDPRejectedClaim|MalformedPolicyDocument|RegionDisabled|ValidationError|ENOENT|EACCES)/;

interface Issued {
  readonly keys: AccessKeys;
  /** Milliseconds since 1970; infinite for keys that do not expire. */
  readonly until: number;
}

/**
 * The keys of the process's role. They are renewed before they expire, by one request at a time, while requests continue with the
 * present keys. A failure is logged, and prevents requests only after the keys have expired.
 */
export class AmbientKeys implements KeySource {
  private readonly logger = new Logger('BucketCredentials');
  private service: Promise<CredentialService> | null = null;
  private issued: Issued | null = null;
  private renewal: Promise<Issued> | null = null;
  private nextRenewal = 0;
  private failure: { readonly error: KeysUnavailable; readonly until: number } | null = null;

  constructor(
    private readonly find: (warn: (message: string) => void) => Promise<CredentialService>,
    private readonly now: () => number = Date.now,
  ) {}

  async get(): Promise<AccessKeys> {
    const { issued } = this;
    if (!issued || issued.until <= this.now()) return (await this.renewed()).keys;
    if (issued.until - this.now() < RENEW_BEFORE_MS && this.now() >= this.nextRenewal) this.renewBehind(issued);
    return issued.keys;
  }

  discard(keys: AccessKeys): boolean {
    if (this.issued?.keys === keys) this.issued = null;
    return true;
  }

  private renewBehind({ until }: Issued): void {
    this.nextRenewal = this.now() + RENEWAL_PAUSE_MS;
    this.renewed().catch((error: unknown) => {
      const valid_until = new Date(until).toISOString();
      this.logger.warn({ err: error, valid_until }, 'The access keys of the bucket cannot be renewed');
    });
  }

  /** One request at a time. A failure answers all within the next second. */
  private renewed(): Promise<Issued> {
    if (this.failure && this.now() < this.failure.until) return Promise.reject(this.failure.error);
    this.renewal ??= this.request().finally(() => (this.renewal = null));
    return this.renewal;
  }

  private async request(): Promise<Issued> {
    try {
      this.service ??= this.find((message) => this.logger.warn(message));
      const service = await this.service;
      this.issued = issuedFrom(await withTimeout(LONGEST_MS, noAnswer, () => service.request()));
      this.failure = null;
      return this.issued;
    } catch (error) {
      const unavailable = await this.unavailable(error);
      this.failure = { error: unavailable, until: this.now() + FAILURE_PAUSE_MS };
      throw unavailable;
    }
  }

  private async unavailable(error: unknown): Promise<KeysUnavailable> {
    const name = await this.service!.then(
      (service) => service.name,
      () => 'any source',
    );
    const reason = reasonOf(error);
    const message = `STORAGE_URL names no access keys, and none come from ${name} (${reason})`;
    return new KeysUnavailable(message, !PERMANENT.test(reason), { cause: error });
  }
}

function issuedFrom({ accessKeyId, secretAccessKey, sessionToken, expiration }: Credentials): Issued {
  const keys = { accessKey: accessKeyId, secretKey: secretAccessKey, ...(sessionToken && { sessionToken }) };
  return { keys, until: expiration?.getTime() ?? Infinity };
}

const noAnswer = () => new Error('it does not answer');

/** A code of the system or of STS, otherwise the message: those of the SDK contain neither keys nor tokens. */
function reasonOf(error: unknown): string {
  const { code, name, message } = error as { code?: unknown; name: string; message: string };
  if (typeof code === 'string') return code;
  return /^(?:Error|CredentialsProviderError|ProviderError)$/.test(name) ? message : name;
}
