import type { SigningSecret } from '../identities/environment.entity';
import type { Clock } from '../platform/clock';
import type { ProvisionedDocument } from '../transactions/provisioned-document';
import { IN_MEMORY_BYTES, type PushBodies, type PushBody } from './push-body';
import { sign, type SignatureHeaders } from './sign';

/** For so long nobody asks again whether a document that was made ready is still there, and its signature tells the time. */
const FRESH_MS = 15;

/** A document on its way out: what it says, how its bytes are read, and who signs it. */
export interface Letter {
  readonly transactionUuid: string;
  readonly secrets: readonly SigningSecret[];
  readonly payload: ProvisionedDocument;
  /** Opens the document's bytes, each part good until the next is asked for; may be called twice. */
  readonly content: () => AsyncIterable<Buffer>;
  /** Whether they can still be opened: they may have been deleted while the letter waited for its turn. */
  readonly kept: () => Promise<boolean>;
}

/** A body and the signature over it. */
export interface SignedBody {
  readonly body: PushBody;
  readonly signature: SignatureHeaders;
  readonly signedAt: Date;
}

/** A letter that is read, encoded and signed while those before it are on their way; a long one only when it leaves. */
export class Outgoing {
  private readonly ahead: Promise<SignedBody> | undefined;

  constructor(
    readonly letter: Letter,
    private readonly bodies: PushBodies,
    private readonly clock: Clock,
  ) {
    if (letter.payload.length > IN_MEMORY_BYTES) return;
    this.ahead = this.make();
    this.ahead.catch(() => undefined); // thrown at its await
  }

  /** @throws when the content cannot be read, or is gone */
  async ready(): Promise<SignedBody> {
    const made = await this.ahead;
    if (!made) return this.make();
    if (this.clock.now().getTime() - made.signedAt.getTime() < FRESH_MS) return made;
    if (!(await this.letter.kept())) throw new Error('The document has been deleted since it was read.');
    return this.signed(made.body);
  }

  private async make(): Promise<SignedBody> {
    return this.signed(await this.bodies.prepare(this.letter.payload, this.letter.content));
  }

  private async signed(body: PushBody): Promise<SignedBody> {
    const { transactionUuid, secrets } = this.letter;
    const signedAt = this.clock.now();
    return { body, signedAt, signature: await sign(secrets, transactionUuid, signedAt, body.parts()) };
  }
}
