import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ConnectionsModule } from '../connections/connections.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import { ReadBodyGuard } from '../platform/http/json-body';
import { AccessGuard } from './access.guard';
import { AuthenticateKey } from './authenticate-key';
import { AuthenticateToken } from './authenticate-token';
import { DescribeUiPage } from './describe-ui-page';
import { DescribeUiSession } from './describe-ui-session';
import { DescribeEnvironment } from './environment/describe-environment';
import { EnvironmentController } from './environment/environment.controller';
import { IssueUiToken } from './issue-ui-token';
import { LimitCallersGuard } from './limit-callers.guard';
import { LimitFailures } from './limit-failures';
import { ManageKeys } from './manage-keys';
import { ResumeUiSession } from './resume-ui-session';
import { ReturnFromUi } from './return-from-ui';
import { TokenKeys } from './token-keys';
import { UiSessionController } from './ui-session.controller';
import { UiTokenController } from './ui-token.controller';

/**
 * Owns API keys, UI tokens, return addresses and the guard in front of every route.
 * Nobody imports it; it refuses to know anything but who is calling.
 */
@Module({
  imports: [ConnectionsModule, IntegrationsModule],
  controllers: [UiTokenController, UiSessionController, EnvironmentController],
  providers: [
    AuthenticateKey,
    AuthenticateToken,
    TokenKeys,
    IssueUiToken,
    DescribeEnvironment,
    DescribeUiPage,
    DescribeUiSession,
    ReturnFromUi,
    ResumeUiSession,
    ManageKeys,
    LimitFailures,
    // In this order: who is calling comes before how often, and both come before the body.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: LimitCallersGuard },
    { provide: APP_GUARD, useClass: ReadBodyGuard },
  ],
  exports: [ManageKeys],
})
export class AuthModule {}
