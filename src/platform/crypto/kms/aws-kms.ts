import type * as Sdk from '@aws-sdk/client-kms';
import { KmsUnavailable } from '../../availability/kms-unavailable';
import type { KmsKey } from '../../config/master-key';
import { type Kms, KMS_REQUEST_MS, notWrappedBy } from './kms';

const ATTEMPTS = 3;
/** The ciphertext is not one of this key, or the context differs. */
const WRONG_CIPHERTEXT = ['InvalidCiphertextException', 'IncorrectKeyException'];
/** What an operator has to change; everything else passes. */
const PERMANENT =
  /^(AccessDenied|NotFound|Disabled|KMSInvalidState|InvalidArn|InvalidKeyUsage|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|IncompleteSignature|CredentialsProviderError|Validation)/;

/** A key of AWS KMS. Credentials are found as every AWS SDK does: environment, web identity (IRSA), container, instance role. */
export class AwsKms implements Kms {
  private client: Sdk.KMSClient | null = null;

  constructor(private readonly key: KmsKey) {}

  async wrap(dataKey: Buffer, context: string): Promise<Buffer> {
    return this.send(async (client, { EncryptCommand }) => {
      const input = { KeyId: this.key.resource, Plaintext: dataKey, EncryptionContext: { context } };
      return (await client.send(new EncryptCommand(input))).CiphertextBlob;
    });
  }

  async unwrap(wrapped: Buffer, context: string): Promise<Buffer> {
    return this.send(async (client, { DecryptCommand }) => {
      const input = { KeyId: this.key.resource, CiphertextBlob: wrapped, EncryptionContext: { context } };
      return (await client.send(new DecryptCommand(input))).Plaintext;
    });
  }

  private async send(
    work: (client: Sdk.KMSClient, sdk: typeof Sdk) => Promise<Uint8Array | undefined>,
  ): Promise<Buffer> {
    const sdk = await import('@aws-sdk/client-kms');
    try {
      this.client ??= new sdk.KMSClient({
        region: this.key.resource.split(':')[3]!,
        maxAttempts: ATTEMPTS,
        requestHandler: {
          connectionTimeout: KMS_REQUEST_MS,
          requestTimeout: KMS_REQUEST_MS,
          throwOnRequestTimeout: true,
        },
      });
      const bytes = await work(this.client, sdk);
      return Buffer.from(bytes!);
    } catch (error) {
      const { name } = error as Error;
      if (WRONG_CIPHERTEXT.includes(name)) throw notWrappedBy(this.key.id, error);
      throw new KmsUnavailable(this.key.id, `AWS KMS: ${name}`, !PERMANENT.test(name), { cause: error });
    }
  }
}
