import { SetProvisioning } from '../../../src/identities/environments/set-provisioning';
import { Display } from '../../demo/display';
import type { Receiver } from '../../seed/receiver';
import { SeedApi } from '../../seed/seed-api';
import { seedConnections } from '../../seed/seed-connections';
import { seedDeliveries } from '../../seed/seed-deliveries';
import type { TestApp } from './start-app';
import type { TestClient } from './test-client';

/** In the seed, a document has failed after the second attempt. The environment needs the address of the app as return origin. */
export const SEED_SETTINGS = { pushRetrySchedule: [0, 1] };

/** Fills the client's environment as `npm run seed` does; returns an identity with connections in several states. */
export async function seedTestApp(
  { app, url: base }: TestApp,
  client: TestClient,
  receiver: Receiver,
): Promise<string> {
  const display = new Display();
  display.mute();
  const api = new SeedApi(base, client.apiKey);
  const { identity, working } = await seedConnections(display, api);
  await seedDeliveries(display, api, {
    connection: working,
    receiver,
    pushTo: (url) =>
      app
        .get(SetProvisioning, { strict: false })
        .set('test', client.environmentUuid, { strategy: 'PUSH', url, auth: 'NONE', secret: null }),
  });
  return identity;
}
