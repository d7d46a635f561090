import { type IntegrationSummary, listIntegrations } from '@docfetch/sdk';
import type { Query } from '../../../../ui/src/api/use-query';
import { useData } from '../../components/use-data';
import { useConsole } from '../../session/console-session';

/** The integrations, for their names; until they are loaded, their IDs are shown. */
export function useIntegrations(): {
  readonly query: Query<IntegrationSummary[]>;
  readonly nameOf: (id: string) => string;
} {
  const { client } = useConsole();
  const query = useData(async () => (await listIntegrations({ client })).data, 'integrations');
  const nameOf = (id: string) => query.data?.find(({ integration_id }) => integration_id === id)?.name ?? id;
  return { query, nameOf };
}
