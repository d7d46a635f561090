import type { Display } from '../demo/display';
import type { SeedApi } from './seed-api';

/** The port "discard", on which nothing listens: a mail server that cannot be reached. */
const UNREACHABLE = { host: '127.0.0.1', port: 9 };

const portal = (name: string, user: string, fields: object = {}) => ({
  integration_id: 'sandbox',
  name,
  fields: { user, password: 'secret', documents: 4, new_per_fetch: 1, ...fields },
});

/** A portal that works during the setup and the first fetch, and fails afterwards. */
const failing = (name: string, user: string, scenario: string) =>
  portal(name, user, { scenario, fails_from: 'later_fetch' });

export interface SeededConnections {
  /** An identity that has connections in several states. */
  readonly identity: string;
  /** A portal that works, for documents in every state of their delivery. */
  readonly working: string;
}

/** Three identities with connections in every status and health, and fetches that succeeded, failed and partly failed. */
export async function seedConnections(display: Display, api: SeedApi): Promise<SeededConnections> {
  const identity = await api.identity({
    client_identifier: 'customer-1001',
    display_name: 'Muster GmbH',
    type: 'COMPANY',
  });
  let working = '';
  await display.step('Connecting Muster GmbH', async () => {
    working = await api.connect(identity, portal('Supplier portal', 'muster', { documents: 12 }));
    const down = await api.connect(identity, failing('Energy portal', 'muster-energy', 'provider_down'));
    const disabled = await api.connect(identity, portal('Former telephone portal', 'muster-phone'));
    for (const uuid of [working, down, disabled]) await api.fetched(uuid);
    await api.fetchNow(working);
    await api.fetchNow(down);
    await api.client.call('PUT', `/v1/connections/${disabled}/disable`, 204);
    return 'Muster GmbH: a portal that works, one that is down, and one that is disabled';
  });

  const user = await api.identity({
    client_identifier: 'customer-1002',
    display_name: 'Erika Beispiel',
    type: 'USER',
  });
  await display.step('Connecting Erika Beispiel', async () => {
    await api.connect(user, portal('Insurance', 'erika'), { finish: false });
    const consent = { integration_id: 'sandbox_oauth', name: 'Electricity', fields: {} };
    await api.connect(user, consent, { finish: false });
    const partial = await api.connect(user, portal('Bank', 'erika-bank', { scenario: 'broken_document' }));
    await api.fetched(partial);
    return 'Erika Beispiel: a second step and an authorization that are missing, and documents that could not be read';
  });

  const account = await api.identity({
    client_identifier: 'customer-1003',
    display_name: 'Steuerkanzlei Nord',
    type: 'ACCOUNT',
  });
  await display.step('Connecting Steuerkanzlei Nord', async () => {
    await api.migrate(account, { integration_id: 'sandbox_oauth', name: 'Payroll', fields: {} });
    const renamed = await api.connect(account, failing('Archive', 'nord', 'folder_gone'));
    await api.fetched(renamed);
    await api.fetchNow(renamed);
    const login = { ...UNREACHABLE, user: 'nord@example.com', password: 'secret' };
    const mailbox = await api.migrate(account, { integration_id: 'imap', name: 'Mailbox', fields: login });
    await api.fetched(mailbox);
    return 'Steuerkanzlei Nord: an authorization that was refused, a folder that is gone, and a mailbox that cannot be reached';
  });
  return { identity, working };
}
