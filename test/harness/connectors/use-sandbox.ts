import { addFiltered, type FilteredBy, NOTHING_FILTERED } from '../../../src/integrations/core/filter-reason';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef, Json, SourcePage } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import { sandbox } from '../../../src/integrations/sandbox/sandbox';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';

const TODAY = new Date('2026-11-20T08:00:00Z');

/** The result of one fetch. */
interface Fetched {
  documents: DocumentRef[];
  filteredBy: FilteredBy;
  pages: SourcePage[];
  cursor: Json;
  error?: unknown;
}

/** The sandbox at a given time, which needs no server. */
export class SandboxPortal {
  today = TODAY;
  private readonly network = new GuardedNetwork({ allow: [] });

  session(fields: Record<string, unknown> = {}, step2 = {}, signal = new AbortController().signal): OpenSession {
    const { values, invalidFields } = validateFields(sandbox.step1, { user: 'demo', password: 'secret', ...fields });
    expect(invalidFields).toEqual([]);
    return openSession({ fields: values, step2, network: this.network, signal, now: () => this.today });
  }

  /** One fetch as in the service: every page's cursor is stored, also when the listing fails later. */
  async fetchAll(opened: OpenSession, cursor: Json | null = null, startdate: string | null = null): Promise<Fetched> {
    const result: Fetched = { documents: [], filteredBy: NOTHING_FILTERED, pages: [], cursor };
    try {
      for await (const page of sandbox.list(opened, cursor, startdate)) {
        result.pages.push(page);
        result.documents.push(...page.documents);
        result.filteredBy = addFiltered(result.filteredBy, page.filteredBy ?? NOTHING_FILTERED);
        result.cursor = JSON.parse(JSON.stringify(page.cursor)) as Json;
      }
    } catch (error) {
      result.error = error;
    }
    return result;
  }
}

export function useSandbox(): SandboxPortal {
  const portal = new SandboxPortal();
  beforeEach(() => (portal.today = TODAY));
  return portal;
}

export const idsOf = (documents: readonly DocumentRef[]) => documents.map((document) => document.externalId);
