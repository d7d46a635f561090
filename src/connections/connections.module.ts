import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../integrations/integrations.module';
import { AcceptAuthorization } from './oauth/accept-authorization';
import { ConnectionStateController } from './lifecycle/connection-state.controller';
import { ConnectionWebhookController } from './webhooks/connection-webhook.controller';
import { ConnectionsController } from './lifecycle/connections.controller';
import { ContinueAuthorization } from './oauth/confirmation/continue-authorization';
import { DescribeConfirmation } from './oauth/confirmation/describe-confirmation';
import { CreateConnection } from './lifecycle/create-connection';
import { CreateWebhook } from './webhooks/create-webhook';
import { DeleteConnection } from './lifecycle/delete-connection';
import { FindConnections } from './lifecycle/find-connections';
import { FinishAuthorization } from './oauth/finish-authorization';
import { FlowStore } from './oauth/flow/flow-store';
import { FurtherConsent } from './oauth/further-consent';
import { GetConnectionWebhook } from './webhooks/get-connection-webhook';
import { GoToProvider } from './oauth/go-to-provider';
import { GrantStore } from './oauth/tokens/grant-store';
import { IdentityConnectionsController } from './lifecycle/identity-connections.controller';
import { InsertConnection } from './setup/insert-connection';
import { KeepGrant } from './oauth/tokens/keep-grant';
import { DeleteWebhook } from './webhooks/delete-webhook';
import { ListConnections } from './lifecycle/list-connections';
import { ListWebhooks } from './webhooks/list-webhooks';
import { LiveCall } from './credentials/live-call';
import { MigrateConnection } from './lifecycle/migrate-connection';
import { MigrationController } from './lifecycle/migration.controller';
import { OAuthController } from './oauth/oauth.controller';
import { OpenAuthorization } from './oauth/open-authorization';
import { RecordChange } from './state/record-change';
import { RecordWebhookChange } from './webhooks/record-webhook-change';
import { RegisterConnectionWebhook } from './webhooks/register-connection-webhook';
import { RevokeGrants } from './oauth/tokens/revoke-grants';
import { ConsentController } from './sandbox/consent.controller';
import { FindConsentFlow } from './sandbox/find-consent-flow';
import { PlaceDocuments } from './sandbox/place-documents';
import { SandboxCommandsController } from './sandbox/sandbox-commands.controller';
import { SandboxConnection } from './sandbox/sandbox-connection';
import { SetScenario } from './sandbox/set-scenario';
import { SaveConnection } from './setup/save-connection';
import { SaveStep2 } from './setup/save-step2';
import { SessionInput } from './setup/session-input';
import { ShowConnections } from './state/show-connections';
import { StartAuthorization } from './oauth/start-authorization';
import { Step2 } from './setup/step2';
import { Step2Controller } from './setup/step2.controller';
import { SweepFlows } from './oauth/flow/sweep-flows';
import { DescribeConnection } from './lifecycle/describe-connection';
import { SwitchConnection } from './lifecycle/switch-connection';
import { UpdateConnection } from './lifecycle/update-connection';
import { TallyConnections } from './state/tally-connections';
import { UpdateWebhook } from './webhooks/update-webhook';
import { BindWebhookSecrets } from './webhooks/secrets/bind-webhook-secrets';
import { WatchOverdue } from './state/watch-overdue';
import { WebhooksController } from './webhooks/webhooks.controller';

/**
 * Owns the connection: its facts, the status derived from them, the setup steps and webhook registrations.
 * Refuses to know how a fetch runs.
 */
@Module({
  imports: [IntegrationsModule],
  controllers: [
    IdentityConnectionsController,
    ConnectionsController,
    ConnectionStateController,
    Step2Controller,
    MigrationController,
    OAuthController,
    WebhooksController,
    ConnectionWebhookController,
    SandboxCommandsController,
    ConsentController,
  ],
  providers: [
    ListConnections,
    FindConnections,
    CreateConnection,
    UpdateConnection,
    MigrateConnection,
    DescribeConnection,
    SwitchConnection,
    DeleteConnection,
    LiveCall,
    RecordChange,
    InsertConnection,
    SaveConnection,
    SessionInput,
    ShowConnections,
    StartAuthorization,
    OpenAuthorization,
    GoToProvider,
    DescribeConfirmation,
    ContinueAuthorization,
    FinishAuthorization,
    AcceptAuthorization,
    FurtherConsent,
    FlowStore,
    GetConnectionWebhook,
    GrantStore,
    KeepGrant,
    RevokeGrants,
    SweepFlows,
    Step2,
    SaveStep2,
    CreateWebhook,
    ListWebhooks,
    UpdateWebhook,
    DeleteWebhook,
    RegisterConnectionWebhook,
    RecordWebhookChange,
    TallyConnections,
    WatchOverdue,
    BindWebhookSecrets,
    SandboxConnection,
    SetScenario,
    PlaceDocuments,
    FindConsentFlow,
  ],
  exports: [FindConnections, FlowStore, RecordChange, RecordWebhookChange, SessionInput, ShowConnections],
})
export class ConnectionsModule {}
