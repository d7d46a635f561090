import type { Connection, IntegrationSummary } from '@docfetch/sdk';
import { displayStatus } from '../../api/next-step';
import { normalizeText } from '../../components/list/normalize-text';

export const GROUPS = ['PROBLEM', 'ACTIVE', 'DISABLED'] as const;
export type Group = (typeof GROUPS)[number];

/** What the user wants to see of the overview. */
export interface ConnectionFilter {
  readonly query: string;
  readonly group: Group | 'ALL';
}

export const EVERYTHING: ConnectionFilter = { query: '', group: 'ALL' };

/** A connection and its integration, if that still exists. */
export interface Source {
  readonly connection: Connection;
  readonly integration: IntegrationSummary | undefined;
}

export function groupOf(connection: Connection): Group {
  if (connection.status === 'DISABLED') return 'DISABLED';
  return displayStatus(connection).tone === 'bad' ? 'PROBLEM' : 'ACTIVE';
}

const RANKS: Partial<Record<ReturnType<typeof displayStatus>['tone'], number>> = { bad: 0, wait: 1 };
const rankOf = ({ connection }: Source) => RANKS[displayStatus(connection).tone] ?? 2;

/** Those that need the user first, then delayed ones, then all others; otherwise in the order of the service. */
export const problemsFirst = (sources: readonly Source[]): Source[] =>
  [...sources].sort((one, other) => rankOf(one) - rankOf(other));

/** Whether the source is in the group, and its name, its account or a word for its integration contains the text. */
export function isShown({ connection, integration }: Source, { query, group }: ConnectionFilter): boolean {
  if (group !== 'ALL' && groupOf(connection) !== group) return false;
  const text = normalizeText(query.trim());
  const { name, account } = connection;
  return [name, account?.display, integration?.name, ...(integration?.aliases ?? [])].some(
    (word) => word !== undefined && normalizeText(word).includes(text),
  );
}
