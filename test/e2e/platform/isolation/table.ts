import type { Attacker, Victim } from './tenants';

/** A request for a resource of the victim. */
export interface Attack {
  /** Path and query. */
  readonly path: string;
  readonly body?: object;
  /**
   * `identity`: the request concerns only the identity, which every token of the identity may access, regardless of its
   * restrictions. Default: the connection or a resource of it.
   */
  readonly after?: 'identity';
}

export interface IsolationCase {
  readonly attacks: (victim: Victim, attacker: Attacker) => readonly Attack[];
  /** Every caller gets 2xx with only its own data. Default: the request is rejected. */
  readonly answersOwn?: true;
  /** Further statuses of a rejection, in addition to 401, 403 and 404. */
  readonly refusals?: readonly number[];
  /**
   * The request deletes the resource. The owner sends it too, to prove that the attack is well-formed, but after all
   * others.
   */
  readonly destroys?: true;
  /** Only a session of the support team has access, not even one of a developer of the environment. */
  readonly supportOnly?: true;
}

const RETURN_URL = 'https://app.example.com/back';
const SOME_VERSION = '2026-01-01T00:00:00.000Z';
const STEP1 = { user: 'u', password: 'p' };

const at =
  (path: (victim: Victim) => string, body?: object) =>
  (victim: Victim): Attack[] => [{ path: path(victim), body }];
const unknownId = (path: string): IsolationCase => ({ answersOwn: true, attacks: () => [{ path }] });

const createToken = (path: string): IsolationCase => ({
  attacks: ({ identity, connection }, attacker) => [
    { path, body: { identity_uuid: identity, return_url: RETURN_URL } },
    { path, body: { identity_uuid: identity, return_url: RETURN_URL, connection_uuid: connection } },
    { path, body: { identity_uuid: attacker.identity, return_url: RETURN_URL, connection_uuid: connection } },
  ],
});

/**
 * Every route of the OpenAPI document, with the attacks by which another client could try to access the victim's data:
 * with every id in the path, in the query and in the body. A missing route fails the test: add it.
 */
export const ROUTES: Readonly<Record<string, IsolationCase>> = {
  'GET /health/live': unknownId('/health/live'),
  'GET /health/ready': unknownId('/health/ready'),
  'GET /v1/integrations': unknownId('/v1/integrations'),
  'GET /v1/integrations/{integration_id}': unknownId('/v1/integrations/imap'),
  'POST /v1/mail-accounts/discover': {
    answersOwn: true, // the same for every client
    attacks: () => [{ path: '/v1/mail-accounts/discover', body: { email: 'anna@gmx.de' } }],
  },

  'POST /v1/identities': {
    answersOwn: true, // another environment may use the same name; it does not get the same identity
    attacks: ({ clientIdentifier }) => [{ path: '/v1/identities', body: { client_identifier: clientIdentifier } }],
  },
  'GET /v1/identities': {
    answersOwn: true,
    attacks: ({ clientIdentifier }) => [
      { path: '/v1/identities' },
      { path: `/v1/identities?client_identifier=${clientIdentifier}` },
      { path: '/v1/identities?limit=500' },
    ],
  },
  'GET /v1/identities/{identity_uuid}': {
    attacks: ({ identity }) => [{ path: `/v1/identities/${identity}`, after: 'identity' }],
  },
  'PATCH /v1/identities/{identity_uuid}': {
    attacks: at(({ identity }) => `/v1/identities/${identity}`, { display_name: 'Mine' }),
  },
  'DELETE /v1/identities/{identity_uuid}/sessions': {
    destroys: true,
    attacks: ({ identity }) => [{ path: `/v1/identities/${identity}/sessions`, after: 'identity' }],
  },
  'DELETE /v1/identities/{identity_uuid}': {
    destroys: true,
    attacks: at(({ identity }) => `/v1/identities/${identity}`),
  },
  'GET /v1/identities/{identity_uuid}/connections': {
    attacks: ({ identity }) => [
      { path: `/v1/identities/${identity}/connections`, after: 'identity' },
      { path: `/v1/identities/${identity}/connections?integration=sandbox&status=ACTIVE&limit=500`, after: 'identity' },
    ],
  },

  'GET /v1/connections': {
    answersOwn: true,
    attacks: () => [
      { path: '/v1/connections' },
      { path: '/v1/connections?integration=sandbox&limit=500' },
      { path: '/v1/connections?webhook=false' },
    ],
  },
  'POST /v1/connections': {
    attacks: ({ identity }) => [
      {
        path: '/v1/connections',
        body: { integration_id: 'sandbox', name: 'Mine', identity_uuid: identity, fields: STEP1 },
      },
    ],
  },
  'POST /v1/connections/migrate': {
    attacks: ({ identity }) => [
      {
        path: '/v1/connections/migrate',
        body: { integration_id: 'sandbox', name: 'Mine', identity_uuid: identity, fields: STEP1 },
      },
    ],
  },
  'GET /v1/connections/{uuid}': { attacks: at(({ connection }) => `/v1/connections/${connection}`) },
  'PUT /v1/connections/{uuid}': {
    attacks: at(({ connection }) => `/v1/connections/${connection}`, { name: 'Mine' }),
  },
  // Before the connection, with which it would be deleted.
  'DELETE /v1/connections/{uuid}/webhook': {
    destroys: true,
    attacks: at(({ connection }) => `/v1/connections/${connection}/webhook`),
  },
  'DELETE /v1/connections/{uuid}': {
    destroys: true,
    attacks: at(({ connection }) => `/v1/connections/${connection}`),
  },
  'PUT /v1/connections/{uuid}/disable': { attacks: at(({ connection }) => `/v1/connections/${connection}/disable`) },
  'PUT /v1/connections/{uuid}/enable': { attacks: at(({ connection }) => `/v1/connections/${connection}/enable`) },
  'GET /v1/connections/{uuid}/information': {
    attacks: at(({ connection }) => `/v1/connections/${connection}/information`),
  },
  'GET /v1/connections/{uuid}/step2': { attacks: at(({ connection }) => `/v1/connections/${connection}/step2`) },
  'PUT /v1/connections/{uuid}/step2': {
    attacks: at(({ connection }) => `/v1/connections/${connection}/step2`, { fields: {}, isUpdateFlow: true }),
  },
  'POST /v1/connections/{uuid}/step2/{field_id}/more': {
    attacks: at(({ connection }) => `/v1/connections/${connection}/step2/folders/more`, {}),
  },
  'POST /v1/sandbox/connections/{uuid}/scenario': {
    attacks: at(({ connection }) => `/v1/sandbox/connections/${connection}/scenario`, { scenario: 'normal' }),
  },
  'POST /v1/sandbox/connections/{uuid}/documents': {
    attacks: at(({ connection }) => `/v1/sandbox/connections/${connection}/documents`, {
      count: 1,
      format: 'PDF',
      external_id: true,
    }),
  },
  'POST /v1/connections/{uuid}/fetch-now': {
    attacks: at(({ connection }) => `/v1/connections/${connection}/fetch-now`),
  },
  'GET /v1/connections/{uuid}/fetches': { attacks: at(({ connection }) => `/v1/connections/${connection}/fetches`) },
  'GET /v1/connections/{uuid}/timeline': { attacks: at(({ connection }) => `/v1/connections/${connection}/timeline`) },
  'GET /v1/connections/{uuid}/failures': { attacks: at(({ connection }) => `/v1/connections/${connection}/failures`) },
  'GET /v1/connections/{uuid}/transactions': {
    attacks: at(({ connection }) => `/v1/connections/${connection}/transactions`),
  },
  'POST /v1/connections/{uuid}/failures/{failure_uuid}/dismiss': {
    attacks: at(({ connection, failure }) => `/v1/connections/${connection}/failures/${failure}/dismiss`),
  },
  'GET /v1/fetches/{uuid}': { attacks: at(({ fetch }) => `/v1/fetches/${fetch}`) },

  'PUT /v1/connections/{uuid}/webhook': {
    attacks: at(({ connection }) => `/v1/connections/${connection}/webhook`, { url: 'https://mine.example/' }),
  },
  'POST /v1/webhooks': {
    answersOwn: true, // it refers to no resource of another client
    attacks: () => [{ path: '/v1/webhooks', body: { url: 'https://mine.example/' } }],
  },
  'GET /v1/webhooks': {
    answersOwn: true,
    attacks: ({ connection }) => [
      { path: '/v1/webhooks' },
      { path: '/v1/webhooks?limit=500' },
      { path: `/v1/webhooks?connection_uuid=${connection}` },
    ],
  },
  'GET /v1/webhooks/{uuid}': { attacks: at(({ webhook }) => `/v1/webhooks/${webhook}`) },
  'PATCH /v1/webhooks/{uuid}': {
    attacks: at(({ webhook }) => `/v1/webhooks/${webhook}`, { enabled: false, rotate_secret: true }),
  },
  'POST /v1/webhooks/{uuid}/test': { attacks: at(({ webhook }) => `/v1/webhooks/${webhook}/test`) },
  'GET /v1/webhooks/{uuid}/deliveries': { attacks: at(({ webhook }) => `/v1/webhooks/${webhook}/deliveries`) },
  'DELETE /v1/webhooks/{uuid}': { destroys: true, attacks: at(({ webhook }) => `/v1/webhooks/${webhook}`) },

  'GET /v1/transactions': {
    answersOwn: true,
    refusals: [422],
    attacks: ({ identity, connection }) => [
      { path: '/v1/transactions' },
      { path: '/v1/transactions?limit=500' },
      { path: `/v1/transactions?identity_uuid=${identity}` },
      { path: `/v1/transactions?connection_uuid=${connection}` },
      { path: `/v1/transactions?identity_uuid=${identity}&connection_uuid=${connection}` },
      { path: '/v1/transactions?created_from=2000-01-01T00:00:00Z&document_type=invoice' },
    ],
  },
  'GET /v1/transactions/{transaction_uuid}': {
    attacks: at(({ transaction }) => `/v1/transactions/${transaction}`),
  },
  'GET /v1/transactions/{transaction_uuid}/document': {
    attacks: at(({ transaction }) => `/v1/transactions/${transaction}/document`),
  },
  'GET /v1/transactions/{transaction_uuid}/renditions/{rendition_id}': {
    attacks: at(({ transaction, rendition }) => `/v1/transactions/${transaction}/renditions/${rendition}`),
  },
  'GET /v1/transactions/{transaction_uuid}/readable': {
    attacks: at(({ eInvoice }) => `/v1/transactions/${eInvoice}/readable`),
  },
  'GET /v1/transactions/{transaction_uuid}/validation': {
    attacks: at(({ transaction }) => `/v1/transactions/${transaction}/validation`),
  },

  'GET /v1/transactions/{transaction_uuid}/attempts': {
    attacks: at(({ transaction }) => `/v1/transactions/${transaction}/attempts`),
  },
  'POST /v1/transactions/{transaction_uuid}/acknowledge': {
    attacks: at(({ transaction }) => `/v1/transactions/${transaction}/acknowledge`, { result: 'REJECTED' }),
  },
  'POST /v1/transactions/acknowledge': {
    attacks: ({ eInvoice }) => [
      { path: '/v1/transactions/acknowledge', body: { result: 'REJECTED', transaction_uuids: [eInvoice] } },
      { path: '/v1/transactions/acknowledge', body: { result: 'NONSENSE', transaction_uuids: [eInvoice, 'x'] } },
    ],
  },
  'POST /v1/transactions/{transaction_uuid}/redeliver': {
    attacks: at(({ transaction }) => `/v1/transactions/${transaction}/redeliver`),
  },
  'POST /v1/transactions/redeliver': {
    answersOwn: true, // the attacker's environment has no documents
    attacks: ({ connection }) => [
      { path: '/v1/transactions/redeliver', body: { status: 'AVAILABLE' } },
      { path: '/v1/transactions/redeliver', body: { status: 'AVAILABLE', connection_uuid: connection } },
    ],
  },

  'GET /v1/connections/{uuid}/webhook': { attacks: at(({ connection }) => `/v1/connections/${connection}/webhook`) },
  'GET /v1/environment': unknownId('/v1/environment'),
  'GET /v1/events': {
    answersOwn: true,
    attacks: ({ connection }) => [
      { path: '/v1/events' },
      { path: '/v1/events?limit=500' },
      { path: `/v1/events?connection_uuid=${connection}` },
    ],
  },
  'POST /v1/events/{event_uuid}/resend': {
    attacks: at(({ event }) => `/v1/events/${event}/resend`),
  },

  'POST /token': createToken('/token'),
  'POST /v1/token': createToken('/v1/token'),
  'GET /v1/ui/session': { answersOwn: true, attacks: () => [{ path: '/v1/ui/session' }] },
  'POST /v1/ui/session/resume': {
    refusals: [422],
    attacks: () => [{ path: '/v1/ui/session/resume', body: { code: 'u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE' } }],
  },
  'POST /v1/ui/session/restore': {
    refusals: [422],
    attacks: ({ identity }) => [
      { path: '/v1/ui/session/restore', body: { reference: `${identity}.AAAA`, identity_uuid: identity } },
    ],
  },
  'POST /v1/ui/popup-secrets': {
    refusals: [422],
    attacks: ({ connection }) => [
      {
        path: '/v1/ui/popup-secrets',
        body: { authorization_url: `https://docfetch.test/oauth/start?link=${connection}` },
      },
    ],
  },
  'POST /v1/ui/popup-secrets/redeem': {
    refusals: [422],
    attacks: () => [{ path: '/v1/ui/popup-secrets/redeem', body: { secret: 'guessed' } }],
  },
  'GET /v1/console/environments': { attacks: () => [{ path: '/v1/console/environments' }], supportOnly: true },
  'POST /v1/console/environments': {
    attacks: () => [{ path: '/v1/console/environments', body: { client_name: 'A', name: 'B', kind: 'TEST' } }],
    supportOnly: true,
  },
  'GET /v1/console/environments/{environment_uuid}': {
    attacks: at(({ environment }) => `/v1/console/environments/${environment}`),
    supportOnly: true,
  },
  'PATCH /v1/console/environments/{environment_uuid}': {
    attacks: at(({ environment }) => `/v1/console/environments/${environment}`, {
      name: 'Mine',
      expected_updated_at: SOME_VERSION,
    }),
    supportOnly: true,
  },
  'PUT /v1/console/environments/{environment_uuid}/provisioning': {
    attacks: at(({ environment }) => `/v1/console/environments/${environment}/provisioning`, {
      strategy: 'PUSH',
      url: 'https://mine.example/',
      auth: 'NONE',
      expected_updated_at: SOME_VERSION,
    }),
    supportOnly: true,
  },
  'POST /v1/console/environments/{environment_uuid}/signing-secret': {
    attacks: at(({ environment }) => `/v1/console/environments/${environment}/signing-secret`, {
      expected_updated_at: SOME_VERSION,
    }),
    supportOnly: true,
  },
  'POST /v1/console/environments/{environment_uuid}/theme-preview': {
    attacks: at(({ environment }) => `/v1/console/environments/${environment}/theme-preview`, {}),
    supportOnly: true,
  },
  'GET /v1/console/integrations': { attacks: () => [{ path: '/v1/console/integrations' }], supportOnly: true },
  'GET /v1/console/service': { attacks: () => [{ path: '/v1/console/service' }], supportOnly: true },
  'GET /v1/console/keys': { answersOwn: true, attacks: () => [{ path: '/v1/console/keys?limit=500' }] },
  'POST /v1/console/keys': { attacks: () => [{ path: '/v1/console/keys', body: {} }], supportOnly: true },
  'DELETE /v1/console/keys/{key_uuid}': {
    destroys: true,
    attacks: at(({ key }) => `/v1/console/keys/${key}`),
  },
  'GET /v1/console/usage': { answersOwn: true, attacks: () => [{ path: '/v1/console/usage' }] },
  'GET /v1/console/usage.csv': {
    answersOwn: true,
    attacks: () => [{ path: '/v1/console/usage.csv' }, { path: '/v1/console/usage.csv?all_environments=false' }],
  },
  'GET /v1/console/audit': {
    answersOwn: true,
    attacks: ({ identity, connection, key }) => [
      { path: '/v1/console/audit?limit=500' },
      { path: `/v1/console/audit?subject_uuid=${identity}` },
      { path: `/v1/console/audit?subject_uuid=${connection}` },
      { path: `/v1/console/audit?actor=key:${key}` },
    ],
  },
  'POST /v1/console/session': {
    refusals: [422],
    attacks: () => [{ path: '/v1/console/session', body: { link: 'guessed', api_key: 'guessed' } }],
  },
  'GET /v1/console/session': { answersOwn: true, attacks: () => [{ path: '/v1/console/session' }] },
  'GET /v1/console/sessions': {
    answersOwn: true,
    attacks: ({ environment }) => [
      { path: '/v1/console/sessions' },
      { path: `/v1/console/sessions?environment_uuid=${environment}` },
    ],
  },
  'DELETE /v1/console/sessions/{session_uuid}': {
    destroys: true,
    attacks: at(({ consoleSession }) => `/v1/console/sessions/${consoleSession}`),
  },
  'DELETE /v1/console/session': {
    // A session ends only itself, and is needed for the other routes.
    attacks: (_, { headers }) => ('X-CSRF-TOKEN' in headers ? [] : [{ path: '/v1/console/session' }]),
  },
  'GET /v1/console/events': {
    answersOwn: true,
    attacks: ({ connection }) => [
      { path: '/v1/console/events?limit=500' },
      { path: `/v1/console/events?connection_uuid=${connection}` },
    ],
  },
  'GET /v1/console/connections': {
    answersOwn: true,
    attacks: ({ identity, connection, clientIdentifier }) => [
      { path: '/v1/console/connections?limit=500' },
      ...[identity, connection, clientIdentifier].map((q) => ({ path: `/v1/console/connections?q=${q}` })),
    ],
  },
  'GET /v1/console/connections/{uuid}': { attacks: at(({ connection }) => `/v1/console/connections/${connection}`) },
  'GET /v1/console/overview': { answersOwn: true, attacks: () => [{ path: '/v1/console/overview' }] },
  'GET /v1/console/transactions': {
    answersOwn: true,
    attacks: ({ identity, connection, transaction }) => [
      { path: '/v1/console/transactions?limit=500' },
      { path: `/v1/console/transactions?identity_uuid=${identity}` },
      { path: `/v1/console/transactions?connection_uuid=${connection}` },
      { path: `/v1/console/transactions?q=${transaction}` },
    ],
  },
  'GET /v1/console/source-requests': unknownId('/v1/console/source-requests?limit=500'),
  'GET /v1/console/expected-documents': unknownId('/v1/console/expected-documents?limit=500'),
  'GET /v1/console/endpoint': unknownId('/v1/console/endpoint'),
  'POST /v1/console/endpoint/test': { refusals: [422], attacks: () => [{ path: '/v1/console/endpoint/test' }] },
  'GET /v1/console/transactions/{transaction_uuid}/attempts': {
    attacks: ({ transaction }) => [{ path: `/v1/console/transactions/${transaction}/attempts` }],
  },
  'GET /v1/console/redeliveries': unknownId('/v1/console/redeliveries?limit=500'),
  ...Object.fromEntries(
    ['', '/preview'].map((action): [string, IsolationCase] => [
      `POST /v1/console/redeliveries${action}`,
      {
        answersOwn: true,
        attacks: ({ identity, connection, transaction }) => [
          ...[{}, { identity_uuid: identity }, { connection_uuid: connection }].map((body) => ({
            path: `/v1/console/redeliveries${action}`,
            body: { status: 'AVAILABLE', ...body },
          })),
          { path: `/v1/console/redeliveries${action}`, body: { transaction_uuids: [transaction] } },
        ],
      },
    ]),
  ),
  // Both redirect a browser regardless of its parameters.
  'GET /oauth/start': { refusals: [302], attacks: () => [{ path: '/oauth/start?link=guessed' }] },
  'GET /oauth/callback': {
    refusals: [302],
    attacks: ({ connection }) => [
      { path: '/oauth/callback?code=x&state=guessed' },
      { path: `/oauth/callback?error=access_denied&state=${connection}` },
    ],
  },
  'POST /v1/ui/source-requests': {
    attacks: ({ identity }) => [{ path: '/v1/ui/source-requests', body: { text: 'x', identity_uuid: identity } }],
    refusals: [422],
  },
  'POST /v1/ui/return': {
    attacks: ({ connection }) => [
      { path: '/v1/ui/return', body: { result: 'success', action: 'updated', connection_uuid: connection } },
      { path: '/v1/ui/return', body: { result: 'success', action: 'deleted', connection_uuid: connection } },
    ],
  },
};
