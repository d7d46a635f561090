import { SignatureV4 } from '@smithy/signature-v4';
import { createHash, createHmac } from 'node:crypto';

/** The part size of a multipart upload; S3 accepts no smaller parts except the last. */
export const PART_BYTES = 5 * 1024 * 1024;

/** The owner of a bucket, who fills it with requests of their own. */
export class S3Owner {
  private readonly signer: SignatureV4;

  constructor(
    private readonly endpoint: string,
    region: string,
    private readonly bucket: string,
    credentials: { readonly accessKeyId: string; readonly secretAccessKey: string },
  ) {
    this.signer = new SignatureV4({ service: 's3', region, credentials, sha256: Sha256, uriEscapePath: false });
  }

  async make(): Promise<void> {
    await this.send('PUT', '');
  }

  /** Enables versioning: every version is kept from now on. */
  async keepVersions(): Promise<void> {
    const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>';
    await this.send('PUT', '', { versioning: '' }, body);
  }

  async put(key: string, content: string | Buffer): Promise<void> {
    await this.send('PUT', key, {}, content);
  }

  /** Uploads in parts, so that the object's ETag is not a checksum of its bytes. */
  async putInParts(key: string, content: Buffer): Promise<void> {
    const begun = await (await this.send('POST', key, { uploads: '' })).text();
    const uploadId = /<UploadId>([^<]+)</.exec(begun)![1]!;
    let list = '';
    for (let n = 1; (n - 1) * PART_BYTES < content.length; n++) {
      const part = content.subarray((n - 1) * PART_BYTES, n * PART_BYTES);
      const { headers } = await this.send('PUT', key, { partNumber: String(n), uploadId }, part);
      list += `<Part><PartNumber>${n}</PartNumber><ETag>${headers.get('etag')}</ETag></Part>`;
    }
    const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
    // The server answers before it is done and reports the result in the body.
    const done = await (await this.send('POST', key, { uploadId }, body)).text();
    if (!done.includes('CompleteMultipartUploadResult')) throw new Error(done);
  }

  /** With versioning, the versions remain behind a delete marker. */
  async delete(key: string): Promise<void> {
    await this.send('DELETE', key);
  }

  private async send(
    method: string,
    key: string,
    query: Readonly<Record<string, string>> = {},
    content: string | Buffer = '',
  ): Promise<Response> {
    const { protocol, hostname, host } = new URL(this.endpoint);
    const path = `/${this.bucket}${key === '' ? '' : `/${key.split('/').map(escape).join('/')}`}`;
    const body = Buffer.from(content as string);
    const hash = (algorithm: string) => createHash(algorithm).update(body);
    const { headers } = await this.signer.sign({
      method,
      protocol,
      hostname,
      path,
      query: { ...query },
      headers: {
        host,
        'x-amz-content-sha256': hash('sha256').digest('hex'),
        'content-md5': hash('md5').digest('base64'),
      },
      body,
    });
    const search = Object.entries(query).map(([name, value]) => (value === '' ? name : `${name}=${escape(value)}`));
    const url = `${this.endpoint}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
    const { host: _, ...sent } = headers;
    const answer = await fetch(url, { method, headers: sent, body: new Uint8Array(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}

const escape = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

type Data = string | ArrayBuffer | ArrayBufferView;

const bytesOf = (data: Data): Buffer =>
  typeof data === 'string'
    ? Buffer.from(data)
    : ArrayBuffer.isView(data)
      ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      : Buffer.from(data);

class Sha256 {
  private readonly hash;

  constructor(secret?: Data) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: Data): void {
    this.hash.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.hash.digest());
  }

  reset(): void {}
}
