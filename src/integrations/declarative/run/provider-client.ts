import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Session } from '../../core/integration';
import { UnexpectedResponse } from '../../core/source-errors';
import { RestClient } from '../../shared/rest/rest-client';
import type { RestRequest } from '../../shared/rest/rest-request';
import type { CompiledRequest } from '../compile/compiler';
import type { Subject } from '../compile/errors';
import type { CompiledProvider } from '../compile/provider';
import { type Scope, textOf } from '../language/expressions/evaluate';
import { providerLead } from './provider-time';

export type Variables = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly body: object;
  readonly headers: IncomingHttpHeaders;
}

/** A path with such a part would be another path. */
const DOTS = /(^|\/)\.{1,2}(\/|$)/;

/** The address of a provider's API for a connection with these fields. */
export function baseOf(provider: CompiledProvider, fields: Readonly<Record<string, unknown>>): string {
  const variables = Object.fromEntries(provider.openFields.map((id) => [id, fields[id]]));
  return textOf(provider.address({ record: null, variables, zone: 'UTC' }));
}

/** Calls a provider's API for one connection. */
export class ProviderClient {
  /** The values of the fields and choices. No secrets. */
  readonly variables: Variables;
  readonly zone: string;
  readonly session: Session;
  /** The address of the provider's API for this connection. The session's is another one when the deployment has configured it. */
  readonly base: string;
  private readonly clients = new Map<Subject | 'bytes', RestClient>();

  constructor(
    readonly provider: CompiledProvider,
    session: Session,
  ) {
    const { fields, step2 } = session;
    const open = provider.openFields.map((id) => [id, fields[id]]);
    const chosen = provider.choices.map(({ id }) => [id, step2[id]]);
    this.variables = Object.fromEntries([...open, ...chosen]) as Variables;
    this.zone = provider.zone ?? textOf(fields['time_zone'] ?? 'UTC');
    this.base = baseOf(provider, fields);
    this.session = session.apiBaseUrl === provider.base ? { ...session, apiBaseUrl: this.base } : session;
  }

  /** The same with more variables. */
  scope(record: unknown, variables: Variables = {}): Scope {
    return { record, variables: { ...this.variables, ...variables }, zone: this.zone };
  }

  /**
   * The JSON answer to a request.
   * @param url the address of a next page, instead of the request's
   * @throws the class of the error answer (`compile/errors.ts`), Transient, UnexpectedResponse, or the signal's reason
   */
  async ask(request: CompiledRequest, scope: Scope, subject: Subject = 'list', url?: string): Promise<Answer> {
    return this.client(subject).exchange({
      ...this.resolve(request, scope),
      ...(url !== undefined && { url, query: {} }),
    });
  }

  /** The bytes of the answer. @throws as `ask` */
  bytes(
    request: CompiledRequest,
    scope: Scope,
  ): Promise<{ stream: Readable; size: number | undefined; mimeType: string }> {
    const { path, query, ...more } = this.resolve(request, scope);
    return this.client('bytes').bytes(path, query, more);
  }

  private resolve(request: CompiledRequest, scope: Scope): RestRequest {
    const path = request.path(scope);
    if (path === undefined || DOTS.test(textOf(path).split('?')[0]!))
      throw new UnexpectedResponse(`${this.provider.label} lacks a value that the next request needs.`);
    const body = request.body?.(scope);
    return {
      path: textOf(path),
      method: request.method,
      query: valuesOf(request.query, scope),
      headers: {
        ...(body !== undefined && { 'content-type': this.provider.headers['content-type'] ?? 'application/json' }),
        ...valuesOf(request.headers, scope),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }

  private client(purpose: Subject | 'bytes'): RestClient {
    let client = this.clients.get(purpose);
    if (!client) this.clients.set(purpose, (client = this.open(purpose)));
    return client;
  }

  private open(purpose: Subject | 'bytes'): RestClient {
    const subject = purpose === 'bytes' ? 'document' : purpose;
    const { label, headers, credentials, classify, hosts } = this.provider;
    const secrets: Scope = { record: null, variables: this.session.fields, zone: this.zone };
    const signature = credentials?.signature;
    return new RestClient(this.session, {
      provider: label,
      headers: { ...headers },
      // Records come from the API only: from elsewhere they would be somebody else's statements.
      followsRedirects: purpose === 'bytes' && hosts.length > 0,
      classify: (response) => classify(response, response.isFromRedirect ? 'file' : subject),
      ...(credentials && {
        keys: {
          headers: valuesOf(credentials.headers, secrets),
          query: valuesOf(credentials.query, secrets),
        },
      }),
      ...(signature && {
        sign: async (request) => signature.rule.sign(request, valuesOf(signature.inputs, secrets), await this.now()),
      }),
    });
  }

  /** The time for a signature: the provider's, where it states it. */
  private async now(): Promise<Date> {
    const { provider, session } = this;
    const clock = provider.credentials?.signature?.rule.clock;
    const lead = clock === undefined ? 0 : await providerLead(provider, session, clock);
    return new Date(session.now().getTime() + lead);
  }
}

/** The values that are present, as texts. */
function valuesOf(templates: CompiledRequest['query'], scope: Scope): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, evaluate] of templates) {
    const value = evaluate(scope);
    if (value !== undefined) values[name] = textOf(value);
  }
  return values;
}
