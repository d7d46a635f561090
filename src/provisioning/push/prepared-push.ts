import type { SigningSecret } from '../../identities/environments/environment.entity';
import type { Clock } from '../../platform/clock/clock';
import type { ProvisionedDocument } from '../../transactions/download/provisioned-document';
import { IN_MEMORY_BYTES, type PushBodyFactory, type PushBody } from './push-body';
import { sign, type SignatureHeaders } from '../shared/sign';

/**
 * A signature younger than this is sent as it is, although its timestamp counts in seconds. The limit exceeds the time
 * that preceding documents take on a slow machine; otherwise each document would be signed twice and its state read
 * again.
 */
const MAX_SIGNATURE_AGE_MS = 100;
/** Within this time after a document was found due, its state is not read again if its signature is recent. */
const DUE_CHECK_TTL_MS = 1_000;

/** A document to be pushed: its payload, the source of its bytes, and the secrets that sign it. */
export interface PushMessage {
  readonly transactionUuid: string;
  /** The environment whose network connections it uses. */
  readonly environmentUuid: string;
  readonly secrets: readonly SigningSecret[];
  readonly payload: ProvisionedDocument;
  /** Opens the document's bytes; each part is valid until the next is requested. May be called twice. */
  readonly content: () => AsyncIterable<Buffer>;
  readonly foundDueAt: Date;
  /** Checks whether it is still to be sent: it may have been acknowledged or deleted while it was queued. */
  readonly isStillDue: () => Promise<boolean>;
}

/** A body and its signature. */
export interface SignedBody {
  readonly body: PushBody;
  readonly signature: SignatureHeaders;
  readonly signedAt: Date;
}

/**
 * A push whose body is read, encoded and signed while the preceding ones are in flight; a long body only when it is
 * sent.
 */
export class PreparedPush {
  private readonly prepared: Promise<SignedBody> | undefined;

  constructor(
    readonly message: PushMessage,
    private readonly bodies: PushBodyFactory,
    private readonly clock: Clock,
  ) {
    if (message.payload.length > IN_MEMORY_BYTES) return;
    this.prepared = this.buildSigned();
    this.prepared.catch(() => undefined); // handled where it is awaited
  }

  /**
   * Returns null when the document is no longer due.
   * @throws when the content cannot be read
   */
  async signedBody(): Promise<SignedBody | null> {
    const ready = await this.prepared;
    const fresh = ready && this.msSince(ready.signedAt) < MAX_SIGNATURE_AGE_MS;
    if (fresh && this.msSince(this.message.foundDueAt) < DUE_CHECK_TTL_MS) return ready;
    if (!(await this.message.isStillDue())) return null;
    if (!ready) return this.buildSigned();
    return fresh ? ready : this.signBody(ready.body);
  }

  private msSince(then: Date): number {
    return this.clock.now().getTime() - then.getTime();
  }

  private async buildSigned(): Promise<SignedBody> {
    return this.signBody(await this.bodies.create(this.message.payload, this.message.content));
  }

  private async signBody(body: PushBody): Promise<SignedBody> {
    const { transactionUuid, secrets } = this.message;
    const signedAt = this.clock.now();
    return { body, signedAt, signature: await sign(secrets, transactionUuid, signedAt, body.parts()) };
  }
}
