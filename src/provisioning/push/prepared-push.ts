import type { SigningSecret } from '../../identities/environments/environment.entity';
import type { Clock } from '../../platform/clock/clock';
import type { ProvisionedDocument } from '../../transactions/download/provisioned-document';
import { IN_MEMORY_BYTES, type PushBodyFactory, type PushBody } from './push-body';
import { sign, type SignatureHeaders } from '../shared/sign';

/**
 * What was made ready so recently leaves as it is, though its signature tells the time: in seconds. It is more than those ahead
 * of it take on a slow machine, or each would be signed twice, and asked for once more.
 */
const MAX_SIGNATURE_AGE_MS = 100;
/** So long after a document was found due, nobody asks again whether it still is, if it is fresh. */
const DUE_CHECK_TTL_MS = 1_000;

/** A document on its way out: what it says, how its bytes are read, and who signs it. */
export interface PushMessage {
  readonly transactionUuid: string;
  /** Whose connections it takes. */
  readonly environmentUuid: string;
  readonly secrets: readonly SigningSecret[];
  readonly payload: ProvisionedDocument;
  /** Opens the document's bytes, each part good until the next is asked for; may be called twice. */
  readonly content: () => AsyncIterable<Buffer>;
  readonly foundDueAt: Date;
  /** Whether it still is to be sent: it may have been acknowledged or deleted while it waited for its turn. */
  readonly isStillDue: () => Promise<boolean>;
}

/** A body and the signature over it. */
export interface SignedBody {
  readonly body: PushBody;
  readonly signature: SignatureHeaders;
  readonly signedAt: Date;
}

/** A letter that is read, encoded and signed while those before it are on their way; a long one only when it leaves. */
export class PreparedPush {
  private readonly prepared: Promise<SignedBody> | undefined;

  constructor(
    readonly message: PushMessage,
    private readonly bodies: PushBodyFactory,
    private readonly clock: Clock,
  ) {
    if (message.payload.length > IN_MEMORY_BYTES) return;
    this.prepared = this.buildSigned();
    this.prepared.catch(() => undefined); // thrown at its await
  }

  /** Null when it is not to be sent any more. @throws when the content cannot be read */
  async signedBody(): Promise<SignedBody | null> {
    const made = await this.prepared;
    const fresh = made && this.msSince(made.signedAt) < MAX_SIGNATURE_AGE_MS;
    if (fresh && this.msSince(this.message.foundDueAt) < DUE_CHECK_TTL_MS) return made;
    if (!(await this.message.isStillDue())) return null;
    if (!made) return this.buildSigned();
    return fresh ? made : this.signBody(made.body);
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
