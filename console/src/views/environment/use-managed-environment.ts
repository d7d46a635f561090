import { getManagedEnvironment, type ManagedEnvironment } from '@docfetch/sdk';
import type { Query } from '../../../../ui/src/api/use-query';
import { useData } from '../../components/use-data';
import { useConsole } from '../../session/console-session';

/** All settings of the shown environment. */
export function useManagedEnvironment(): Query<ManagedEnvironment> {
  const { client, environmentUuid } = useConsole();
  const path = { environment_uuid: environmentUuid };
  return useData(async () => (await getManagedEnvironment({ client, path })).data, 'settings');
}
