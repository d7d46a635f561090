import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Integration } from '../../../src/integrations/core/integration';
import type { DocumentRef } from '../../../src/integrations/core/source-document';
import { declareIntegration } from '../../../src/integrations/declarative/declare-integration';
import { startFake } from '../../fakes/declared-fakes';
import type { FakeAccount } from '../../fakes/described/fake-account';
import type { FakeProvider } from '../../fakes/described/fake-provider';
import { type SourceListing, type SourceSessionInput, SourceSessions } from '../connectors/source-session';

const PROVIDERS = join(__dirname, '../../../src/integrations/providers');

/** The file of one provider and a new fake of it for each test, with an account that the sessions belong to. */
export class DeclaredFake {
  server!: FakeProvider;
  account!: FakeAccount;
  readonly integration: Integration;
  readonly sources: SourceSessions;
  private input: SourceSessionInput = {};

  constructor(private readonly id: string) {
    const text = readFileSync(join(PROVIDERS, `${id}.yaml`), 'utf8');
    const { integration, manifestErrors } = declareIntegration(`${id}.yaml`, text, { isOfBuild: true });
    expect(manifestErrors).toEqual([]);
    this.integration = integration;
    this.sources = new SourceSessions(integration, () => ({ ...this.input, apiBaseUrl: this.server.url }));
  }

  async start(): Promise<void> {
    this.server = await startFake(this.id);
    this.account = this.server.account();
    const { key, step2 } = this.server.declaration;
    const token = this.server.authorization?.tokens().access_token;
    this.input = {
      fields: key ? key.fields(this.account.key(), this.account) : {},
      step2: step2?.(this.account) ?? {},
      ...(token !== undefined && { accessToken: () => Promise.resolve(token) }),
    };
  }

  async stop(): Promise<void> {
    await this.sources.close();
    await this.server.stop();
    expect(this.server.violations).toEqual([]);
  }

  /** A listing that has to succeed. */
  async list(given: Parameters<SourceSessions['list']>[0] = {}): Promise<SourceListing> {
    const listing = await this.sources.list(given);
    expect(listing.error).toBeUndefined();
    return listing;
  }

  /** The next listing, after all documents of the previous one have been recorded. */
  listFrom(before: SourceListing, given: Parameters<SourceSessions['list']>[0] = {}): Promise<SourceListing> {
    return this.list({ cursor: before.cursor, known: before.keys, ...given });
  }

  check() {
    return this.integration.check(this.sources.open());
  }

  async read(ref: DocumentRef): Promise<Buffer> {
    const { stream } = await this.integration.download(this.sources.open(), ref);
    return buffer(stream);
  }

  /** The requests of the API since the last call: method, path and query. */
  takeRequests(): string[] {
    return this.server.requests
      .splice(0)
      .map(({ method, path, query }) => `${method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`)
      .map(decodeURIComponent);
  }
}

export function useDeclaredFake(id: string): DeclaredFake {
  const fake = new DeclaredFake(id);
  beforeEach(() => fake.start());
  afterEach(() => fake.stop());
  afterAll(() => fake.sources.network.close());
  return fake;
}
