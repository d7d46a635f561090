import type { INestApplicationContext } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { ConnectionViewsModule } from '../../connections/connection-views.module';
import type { ConnectionRecord } from '../../connections/state/connection-record';
import { ConnectionPresenter } from '../../connections/state/connection-presenter';
import type { ConnectionView } from '../../connections/state/views/connection.view';
import { withMessages } from '../shared/with-messages';

/** The API's views of connections, in English. */
export async function presentConnections(
  context: INestApplicationContext,
  connections: readonly ConnectionRecord[],
): Promise<ConnectionView[]> {
  const module = await context.get(LazyModuleLoader, { strict: false }).load(() => ConnectionViewsModule);
  return withMessages(() => module.get(ConnectionPresenter).present(connections));
}
