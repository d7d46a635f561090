import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../integrations/integrations.module';
import { AcceptAuthorization } from './accept-authorization';
import { ConnectionStateController } from './connection-state.controller';
import { ConnectionWebhookController } from './connection-webhook.controller';
import { ConnectionsController } from './connections.controller';
import { ContinueAuthorization } from './confirmation/continue-authorization';
import { DescribeConfirmation } from './confirmation/describe-confirmation';
import { CreateConnection } from './create-connection';
import { CreateWebhook } from './create-webhook';
import { DeleteConnection } from './delete-connection';
import { FindConnections } from './find-connections';
import { FinishAuthorization } from './finish-authorization';
import { FlowStore } from './flow-store';
import { FurtherConsent } from './further-consent';
import { GetConnectionWebhook } from './get-connection-webhook';
import { GoToProvider } from './go-to-provider';
import { GrantStore } from './grant-store';
import { IdentityConnectionsController } from './identity-connections.controller';
import { InsertConnection } from './insert-connection';
import { KeepGrant } from './keep-grant';
import { DeleteWebhook } from './delete-webhook';
import { ListConnections } from './list-connections';
import { ListWebhooks } from './list-webhooks';
import { LiveCall } from './live-call';
import { MigrateConnection } from './migrate-connection';
import { MigrationController } from './migration.controller';
import { OAuthController } from './oauth.controller';
import { OpenAuthorization } from './open-authorization';
import { RecordChange } from './record-change';
import { RecordWebhookChange } from './record-webhook-change';
import { RegisterConnectionWebhook } from './register-connection-webhook';
import { RevokeGrants } from './revoke-grants';
import { ConsentController } from './sandbox/consent.controller';
import { FindConsentFlow } from './sandbox/find-consent-flow';
import { PlaceDocuments } from './sandbox/place-documents';
import { SandboxCommandsController } from './sandbox/sandbox-commands.controller';
import { SandboxConnection } from './sandbox/sandbox-connection';
import { SetScenario } from './sandbox/set-scenario';
import { SaveConnection } from './save-connection';
import { SaveStep2 } from './save-step2';
import { SessionInput } from './session-input';
import { ShowConnections } from './show-connections';
import { StartAuthorization } from './start-authorization';
import { Step2 } from './step2';
import { Step2Controller } from './step2.controller';
import { SweepFlows } from './sweep-flows';
import { DescribeConnection } from './describe-connection';
import { SwitchConnection } from './switch-connection';
import { UpdateConnection } from './update-connection';
import { TallyConnections } from './tally-connections';
import { UpdateWebhook } from './update-webhook';
import { BindWebhookSecrets } from './webhook-secrets/bind-webhook-secrets';
import { WatchOverdue } from './watch-overdue';
import { WebhooksController } from './webhooks.controller';

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
