import { addFiltered, type FilteredBy, NOTHING_FILTERED } from '../../../src/integrations/core/filter-reason';
import type { Integration } from '../../../src/integrations/core/integration';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef, Json } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';

export interface SourceSessionInput {
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Values that a preset adds to those of the form. */
  readonly preset?: Readonly<Record<string, unknown>>;
  readonly step2?: Readonly<Record<string, unknown>>;
  readonly accessToken?: (refused?: string) => Promise<string>;
  /** Dedupe keys of the recorded documents. */
  readonly known?: readonly string[];
}

export interface SourceListing {
  readonly documents: readonly DocumentRef[];
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly filteredBy: FilteredBy;
  readonly cursor: Json;
  /** The error that ended the listing. */
  readonly error: unknown;
}

/** Calls a connector as the fetch engine does, without the engine. */
export class SourceSessions {
  readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  private readonly opened: OpenSession[] = [];

  constructor(
    private readonly integration: Integration,
    private readonly standard: () => SourceSessionInput & { readonly apiBaseUrl: string },
  ) {}

  open(given: SourceSessionInput = {}): OpenSession {
    const { fields, preset, step2, accessToken, known, apiBaseUrl } = { ...this.standard(), ...given };
    const { values, invalidFields } = validateFields(this.integration.step1, fields ?? {});
    expect(invalidFields).toEqual([]);
    const session = openSession({
      fields: { ...values, ...preset },
      step2: step2 ?? {},
      network: this.network,
      signal: new AbortController().signal,
      now: () => new Date(),
      apiBaseUrl,
      ...(accessToken && { accessToken }),
      findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => known?.includes(key)))),
    });
    this.opened.push(session);
    return session;
  }

  /** Lists from a cursor on, until the end or an error. */
  async list(
    given: SourceSessionInput & { readonly cursor?: Json; readonly startdate?: string } = {},
  ): Promise<SourceListing> {
    const documents: DocumentRef[] = [];
    let filteredBy = NOTHING_FILTERED;
    let [cursor, error]: [Json, unknown] = [given.cursor ?? null, undefined];
    try {
      for await (const page of this.integration.list(this.open(given), cursor, given.startdate ?? null)) {
        documents.push(...page.documents);
        filteredBy = addFiltered(filteredBy, page.filteredBy ?? NOTHING_FILTERED);
        cursor = JSON.parse(JSON.stringify(page.cursor)) as Json;
      }
    } catch (thrown) {
      error = thrown;
    }
    const names = documents.map(({ filename }) => filename).sort();
    return { documents, names, keys: documents.map(({ dedupeKey }) => dedupeKey), filteredBy, cursor, error };
  }

  /** Lists again after all listed documents have been recorded. */
  listFrom(
    before: SourceListing,
    given: SourceSessionInput & { readonly startdate?: string } = {},
  ): Promise<SourceListing> {
    return this.list({ ...given, cursor: before.cursor, known: [...before.keys, ...(given.known ?? [])] });
  }

  async close(): Promise<void> {
    for (const session of this.opened.splice(0)) await session.close();
  }
}
