import type { KeyScope } from '../../platform/http/access/key-scope';

/**
 * The scopes that an operation requires of an API key (decisions 3): the only place that states it, for the guard and for the
 * OpenAPI document. Every operation with credentials is listed, those of the console because of sessions that a key has opened.
 */
const OPERATIONS: readonly (readonly [scopes: readonly KeyScope[], operations: readonly string[]])[] = [
  [[], ['getConsoleSession', 'endConsoleSession']],
  // A token that cannot read would be of no use to the hosted UI.
  [
    ['read', 'write'],
    ['createToken', 'createTokenV1'],
  ],
  [
    ['read'],
    [
      'getUiSession',
      ...['listIdentities', 'getIdentity', 'listIdentityConnections'],
      ...['listIntegrations', 'getIntegration'],
      ...['listConnections', 'getConnection', 'getConnectionInformation', 'getStep2', 'listTimeline', 'listFailures'],
      ...['listFetches', 'getFetch'],
      ...['listConnectionTransactions', 'listTransactions', 'getTransaction', 'listAttempts'],
      ...['pullDocument', 'getReadable', 'pullRendition', 'getValidation'],
      ...[
        'getEnvironment',
        'getConnectionWebhook',
        'listEvents',
        'listWebhooks',
        'getWebhook',
        'listWebhookDeliveries',
      ],
      ...['listAuditLog', 'searchConnections', 'explainConnection', 'getEndpoint'],
      ...['listEnvironments', 'getManagedEnvironment', 'listLatestEvents', 'listExpectedDocuments'],
      ...['listIntegrationStatus', 'listApiKeys', 'getOverview', 'listRedeliveries', 'previewRedelivery'],
      ...['getServiceStatus', 'listConsoleSessions', 'listSourceRequests', 'searchTransactions', 'inspectAttempts'],
      ...['listUsage', 'exportUsage'],
    ],
  ],
  [
    ['write'],
    [
      ...['createPopupSecret', 'createReturnUrl', 'requestSource'],
      ...['createIdentity', 'updateIdentity', 'deleteIdentity', 'endSessions'],
      ...['discoverMailAccount', 'createConnection', 'migrateConnection', 'updateConnection', 'deleteConnection'],
      ...['disableConnection', 'enableConnection', 'saveStep2', 'loadMoreOptions', 'dismissFailure', 'fetchNow'],
      ...['acknowledgeTransactions', 'acknowledgeTransaction', 'redeliverTransactions', 'redeliverTransaction'],
      ...['resendEvent', 'placeSandboxDocuments', 'setSandboxScenario'],
      ...['testEndpoint', 'requestRedelivery'],
    ],
  ],
  [
    ['admin'],
    [
      ...['registerConnectionWebhook', 'deleteConnectionWebhook'],
      ...['createWebhook', 'updateWebhook', 'deleteWebhook', 'testWebhook'],
      ...['createEnvironment', 'updateEnvironment', 'setProvisioning', 'rotateSigningSecret', 'previewTheme'],
      ...['issueApiKey', 'revokeApiKey', 'revokeConsoleSession'],
    ],
  ],
];

const REQUIRED_SCOPES: ReadonlyMap<string, readonly KeyScope[]> = new Map(
  OPERATIONS.flatMap(([scopes, operations]) => operations.map((operation) => [operation, scopes] as const)),
);

/** Undefined for an operation that is not listed. */
export const requiredScopes = (operationId: string): readonly KeyScope[] | undefined =>
  REQUIRED_SCOPES.get(operationId);
