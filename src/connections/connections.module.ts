import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../integrations/integrations.module';
import { ConnectionViewsModule } from './connection-views.module';
import { AcceptAuthorization } from './oauth/accept-authorization';
import { ConnectionStateController } from './lifecycle/connection-state.controller';
import { ConnectionWebhookController } from './webhooks/of-connection/connection-webhook.controller';
import { ConsoleConnectionsController } from './search/console-connections.controller';
import { PresentConnections } from './search/present-connections';
import { SearchConnections } from './search/search-connections';
import { ConnectionsController } from './lifecycle/connections.controller';
import { ContinueAuthorization } from './oauth/confirmation/continue-authorization';
import { DescribeConfirmation } from './oauth/confirmation/describe-confirmation';
import { CreateConnection } from './lifecycle/create-connection';
import { CreateWebhook } from './webhooks/create-webhook';
import { DeleteConnection } from './deletion/delete-connection';
import { DeleteIdentity } from './deletion/delete-identity';
import { IdentityDeletionController } from './deletion/identity-deletion.controller';
import { FindConnections } from './lifecycle/find-connections';
import { FinishAuthorization } from './oauth/finish-authorization';
import { OAuthFlowRepository } from './oauth/flow/oauth-flow.repository';
import { ScopeUpgrade } from './oauth/scope-upgrade';
import { GetConnectionWebhook } from './webhooks/of-connection/get-connection-webhook';
import { RedirectToProvider } from './oauth/redirect-to-provider';
import { TokenStore } from './oauth/tokens/token-store';
import { IdentityConnectionsController } from './lifecycle/identity-connections.controller';
import { TokenRefresher } from './oauth/tokens/token-refresher';
import { DeleteWebhook } from './webhooks/delete-webhook';
import { ListConnections } from './lifecycle/list-connections';
import { ListWebhooks } from './webhooks/list-webhooks';
import { CredentialCheck } from './credentials/credential-check';
import { MigrateConnection } from './lifecycle/migrate-connection';
import { MigrationController } from './lifecycle/migration.controller';
import { OAuthController } from './oauth/oauth.controller';
import { OpenAuthorization } from './oauth/open-authorization';
import { ConnectionChangeLog } from './state/connection-change-log';
import { WebhookChangeLog } from './webhooks/webhook-change-log';
import { RegisterConnectionWebhook } from './webhooks/of-connection/register-connection-webhook';
import { CreatePopupSecret } from './oauth/popup/create-popup-secret';
import { PopupController } from './oauth/popup/popup.controller';
import { RedeemPopupSecret } from './oauth/popup/redeem-popup-secret';
import { RevokeGrants } from './oauth/tokens/revoke-grants';
import { ConsentController } from './sandbox/consent.controller';
import { FindConsentFlow } from './sandbox/find-consent-flow';
import { PlaceDocuments } from './sandbox/place-documents';
import { SandboxCommandsController } from './sandbox/sandbox-commands.controller';
import { SandboxPolicy } from './sandbox/sandbox-policy';
import { SetScenario } from './sandbox/set-scenario';
import { ConnectionBuilder } from './setup/build-connection';
import { ChangeConnection } from './setup/change-connection';
import { StoreConnection } from './setup/store-connection';
import { SaveStep2 } from './setup/save-step2';
import { SessionInputLoader } from './setup/session-input-loader';
import { StartAuthorization } from './oauth/start-authorization';
import { Step2Loader } from './setup/step2-loader';
import { Step2Controller } from './setup/step2.controller';
import { GetConnectionInformation } from './lifecycle/get-connection-information';
import { DisableConnection } from './lifecycle/disable-connection';
import { EnableConnection } from './lifecycle/enable-connection';
import { UpdateConnection } from './lifecycle/update-connection';
import { RecentConnectionCounts } from './state/recent-connection-counts';
import { IntegrationStatusController } from './integration-status/integration-status.controller';
import { ListIntegrationStatus } from './integration-status/list-integration-status';
import { ConnectionCountMetrics } from './state/connection-count-metrics';
import { UpdateWebhook } from './webhooks/update-webhook';
import { StalenessMonitor } from './state/staleness-monitor';
import { WebhooksController } from './webhooks/webhooks.controller';

/**
 * Responsible for the connection: its data, its derived status, the setup steps and webhook registrations.
 * Does not depend on how a fetch runs.
 */
@Module({
  imports: [IntegrationsModule, ConnectionViewsModule],
  controllers: [
    IntegrationStatusController,
    IdentityConnectionsController,
    IdentityDeletionController,
    ConnectionsController,
    ConsoleConnectionsController,
    ConnectionStateController,
    Step2Controller,
    MigrationController,
    OAuthController,
    PopupController,
    WebhooksController,
    ConnectionWebhookController,
    SandboxCommandsController,
    ConsentController,
  ],
  providers: [
    ListConnections,
    FindConnections,
    SearchConnections,
    PresentConnections,
    CreateConnection,
    UpdateConnection,
    MigrateConnection,
    GetConnectionInformation,
    DisableConnection,
    EnableConnection,
    DeleteConnection,
    DeleteIdentity,
    CredentialCheck,
    ConnectionChangeLog,
    ConnectionBuilder,
    StoreConnection,
    ChangeConnection,
    SessionInputLoader,
    StartAuthorization,
    OpenAuthorization,
    RedirectToProvider,
    DescribeConfirmation,
    ContinueAuthorization,
    FinishAuthorization,
    CreatePopupSecret,
    RedeemPopupSecret,
    AcceptAuthorization,
    ScopeUpgrade,
    OAuthFlowRepository,
    GetConnectionWebhook,
    TokenStore,
    TokenRefresher,
    RevokeGrants,
    Step2Loader,
    SaveStep2,
    CreateWebhook,
    ListWebhooks,
    UpdateWebhook,
    DeleteWebhook,
    RegisterConnectionWebhook,
    WebhookChangeLog,
    ConnectionCountMetrics,
    RecentConnectionCounts,
    ListIntegrationStatus,
    StalenessMonitor,
    SandboxPolicy,
    SetScenario,
    PlaceDocuments,
    FindConsentFlow,
  ],
  exports: [
    FindConnections,
    RecentConnectionCounts,
    OAuthFlowRepository,
    ConnectionChangeLog,
    WebhookChangeLog,
    SessionInputLoader,
    ConnectionViewsModule,
  ],
})
export class ConnectionsModule {}
