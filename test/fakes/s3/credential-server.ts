import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FakeS3Server } from './fake-s3-server';

const ROLE = 'docfetch-bucket';
export const ROLE_ARN = `arn:aws:iam::111122223333:role/${ROLE}`;
const STS = 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"';
const METADATA = '/latest/meta-data/iam/security-credentials/';
const LONGEST_SESSION_SECONDS = 21_600;

/** An error of AWS STS, or a status of the other services. */
export type Failure = 'AccessDenied' | 'InvalidIdentityToken' | 'no answer' | number;

/**
 * The services at AWS that issue temporary keys, on one socket: STS (`AssumeRoleWithWebIdentity`, Query API of 2011-06-15), the
 * metadata service of an instance (version 2 only), and the credentials endpoint of a container (ECS, EKS Pod Identity). It accepts
 * only requests as AWS documents them. The bucket accepts the keys that it issues.
 */
export class CredentialServer {
  /** The token of the web identity or of the container, which a request has to send. */
  token = 'first-token';
  /** The validity of the issued keys. */
  seconds = 3600;
  failure: Failure | undefined;
  /** Awaited before an answer. */
  hold: (() => Promise<void>) | undefined;
  readonly requests: string[] = [];
  private readonly sessions = new Set<string>();

  private constructor(
    private readonly server: Server,
    private readonly bucket: FakeS3Server,
  ) {
    server.on('request', (request, answer) => void this.serve(request, answer));
  }

  static async start(bucket: FakeS3Server): Promise<CredentialServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CredentialServer(server, bucket);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await text(request);
    this.requests.push(`${request.method} ${request.url}`);
    await this.hold?.();
    if (this.failure === 'no answer') return;
    const path = request.url!;
    if (request.method === 'POST' && path === '/') return this.assumeRole(request, new URLSearchParams(body), answer);
    if (typeof this.failure === 'number') return void answer.writeHead(this.failure).end();
    if (path.startsWith('/latest/')) return this.metadata(request, answer);
    if (path === '/v1/credentials') return this.container(request, answer);
    answer.writeHead(404).end();
  }

  private issue() {
    const keys = {
      accessKey: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
      secretKey: randomBytes(30).toString('base64'),
      sessionToken: `session/${randomBytes(60).toString('base64')}`,
    };
    this.bucket.temporaryKeys.set(keys.accessKey, keys);
    // AWS gives whole seconds.
    const expiration = new Date(Date.now() + this.seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
    return { ...keys, expiration };
  }

  private assumeRole({ headers }: IncomingMessage, form: URLSearchParams, answer: ServerResponse): void {
    const refuse = (status: number, code: string) => {
      const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>Refused.</Message></Error>`;
      answer.writeHead(status, { 'content-type': 'text/xml' });
      answer.end(`<ErrorResponse ${STS}>${error}<RequestId>1</RequestId></ErrorResponse>`);
    };
    if (this.failure === 'AccessDenied') return refuse(403, this.failure);
    if (typeof this.failure === 'number') return refuse(this.failure, 'ServiceUnavailable');
    const isComplete =
      headers['content-type'] === 'application/x-www-form-urlencoded' &&
      headers.authorization === undefined &&
      form.get('Action') === 'AssumeRoleWithWebIdentity' &&
      form.get('Version') === '2011-06-15' &&
      /^[\w+=,.@-]{2,64}$/.test(form.get('RoleSessionName') ?? '');
    if (!isComplete) return refuse(400, 'ValidationError');
    if (form.get('RoleArn') !== ROLE_ARN) return refuse(403, 'AccessDenied');
    if (this.failure !== undefined || form.get('WebIdentityToken') !== this.token)
      return refuse(400, 'InvalidIdentityToken');
    const { accessKey, secretKey, sessionToken, expiration } = this.issue();
    const credentials = `<AccessKeyId>${accessKey}</AccessKeyId><SecretAccessKey>${secretKey}</SecretAccessKey><SessionToken>${sessionToken}</SessionToken><Expiration>${expiration}</Expiration>`;
    const user = `<AssumedRoleUser><Arn>arn:aws:sts::111122223333:assumed-role/${ROLE}/session</Arn><AssumedRoleId>role-id:session</AssumedRoleId></AssumedRoleUser>`;
    const result = `<SubjectFromWebIdentityToken>system:serviceaccount:documents:docfetch</SubjectFromWebIdentityToken>${user}<Credentials>${credentials}</Credentials>`;
    answer.writeHead(200, { 'content-type': 'text/xml' });
    answer.end(
      `<AssumeRoleWithWebIdentityResponse ${STS}><AssumeRoleWithWebIdentityResult>${result}</AssumeRoleWithWebIdentityResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></AssumeRoleWithWebIdentityResponse>`,
    );
  }

  private metadata({ method, url, headers }: IncomingMessage, answer: ServerResponse): void {
    if (headers['x-forwarded-for'] !== undefined) return void answer.writeHead(403).end();
    if (url === '/latest/api/token') {
      const seconds = Number(headers['x-aws-ec2-metadata-token-ttl-seconds']);
      if (method !== 'PUT') return void answer.writeHead(405).end();
      if (!(seconds >= 1 && seconds <= LONGEST_SESSION_SECONDS)) return void answer.writeHead(400).end();
      const session = randomBytes(20).toString('base64');
      this.sessions.add(session);
      return void answer.end(session);
    }
    if (!this.sessions.has(String(headers['x-aws-ec2-metadata-token']))) return void answer.writeHead(401).end();
    if (url === METADATA) return void answer.end(ROLE);
    if (url !== METADATA + ROLE) return void answer.writeHead(404).end();
    const status = { Code: 'Success', LastUpdated: new Date().toISOString(), Type: 'AWS-HMAC' };
    answer.end(JSON.stringify({ ...status, ...this.documented() }));
  }

  private container({ method, headers }: IncomingMessage, answer: ServerResponse): void {
    answer.setHeader('content-type', 'application/json');
    if (method !== 'GET' || headers.authorization !== this.token) {
      const error = { code: 'InvalidToken', message: 'The token is not valid.' };
      return void answer.writeHead(400).end(JSON.stringify(error));
    }
    answer.end(JSON.stringify({ RoleArn: ROLE_ARN, ...this.documented() }));
  }

  private documented() {
    const { accessKey, secretKey, sessionToken, expiration } = this.issue();
    return { AccessKeyId: accessKey, SecretAccessKey: secretKey, Token: sessionToken, Expiration: expiration };
  }
}
