import { addFiltered, type FilteredBy, NOTHING_FILTERED } from '../../../src/integrations/core/filter-reason';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import type { Integration } from '../../../src/integrations/core/integration';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef, Json } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import type { AuthorizationServer } from '../../fakes/oauth/authorization-server';

/** The part of a fake provider that sessions use. */
interface Provider {
  readonly url: string;
  readonly authorization: AuthorizationServer;
}

/** The listing of one fetch. */
export interface FetchedDocuments {
  readonly documents: readonly DocumentRef[];
  /** The names of the documents, in alphabetical order. */
  readonly names: readonly string[];
  readonly filteredBy: FilteredBy;
  readonly cursor: Json;
}

/** Sessions of a connector that a fake provider has authorized, and the records of their fetches. */
export class OAuthSessions {
  readonly recorded = new Set<string>();
  private readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  private readonly opened: OpenSession[] = [];

  constructor(
    private readonly integration: Integration,
    private readonly provider: Provider,
  ) {}

  /** A session whose tokens are refreshed when they are rejected. */
  open(step2: Record<string, unknown> = {}, given: { scopes?: string[]; zone?: string } = {}): OpenSession {
    const { values, invalidFields } = validateFields(
      this.integration.step1,
      given.zone === undefined ? {} : { time_zone: given.zone },
    );
    expect(invalidFields).toEqual([]);
    const issue = () => this.provider.authorization.tokens(undefined, given.scopes).access_token;
    let token = issue();
    const session = openSession({
      fields: values,
      step2,
      network: this.network,
      signal: new AbortController().signal,
      now: () => new Date(),
      apiBaseUrl: this.provider.url,
      accessToken: (refused) => Promise.resolve(refused === token ? (token = issue()) : token),
      findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => this.recorded.has(key)))),
    });
    this.opened.push(session);
    return session;
  }

  /** Lists documents and records them, as a fetch does. */
  async fetched(
    session = this.open(),
    cursor: Json = null,
    startdate: string | null = null,
  ): Promise<FetchedDocuments> {
    const documents: DocumentRef[] = [];
    let [last, filteredBy] = [cursor, NOTHING_FILTERED];
    for await (const page of this.integration.list(session, cursor, startdate)) {
      documents.push(...page.documents);
      for (const { dedupeKey } of page.documents) this.recorded.add(dedupeKey);
      filteredBy = addFiltered(filteredBy, page.filteredBy ?? NOTHING_FILTERED);
      last = JSON.parse(JSON.stringify(page.cursor)) as Json;
    }
    return { documents, cursor: last, filteredBy, names: documents.map(({ filename }) => filename).sort() };
  }

  async close(): Promise<void> {
    for (const each of this.opened.splice(0)) await each.close();
    await this.network.close();
  }
}
