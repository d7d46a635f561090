import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { ConnectionsModule } from '../connections/connections.module';
import { IdentitiesModule } from '../identities/identities.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import { ReadBodyGuard } from '../platform/http/json-body';
import { Settings } from '../platform/config';
import { AccessGuard } from './access.guard';
import { AuthenticateKey } from './authenticate-key';
import { AuthenticateToken } from './authenticate-token';
import { CreateClient } from './create-client';
import { AdmitOrigins } from './cross-origin/admit-origins';
import { OriginGuard } from './cross-origin/origin.guard';
import { DescribeUiPage } from './describe-ui-page';
import { DescribeUiSession } from './describe-ui-session';
import { DescribeEnvironment } from './environment/describe-environment';
import { EnvironmentController } from './environment/environment.controller';
import { EndSessions } from './end-sessions';
import { IssueUiToken } from './issue-ui-token';
import { LimitCallersGuard } from './limit-callers.guard';
import { LimitFailures } from './limit-failures';
import { ManageKeys } from './manage-keys';
import { ResumeUiSession } from './resume-ui-session';
import { ReturnFromUi } from './return-from-ui';
import { SessionsController } from './sessions.controller';
import { tokenOptions } from './token-keys';
import { UiSessionController } from './ui-session.controller';
import { UiTokenController } from './ui-token.controller';
import { UiTokens } from './ui-tokens';

/**
 * Owns API keys, UI tokens, return addresses and the guard in front of every route.
 * Nobody imports it; it refuses to know anything but who is calling.
 */
@Module({
  imports: [
    ConnectionsModule,
    IntegrationsModule,
    IdentitiesModule,
    JwtModule.registerAsync({ inject: [Settings], useFactory: tokenOptions }),
  ],
  controllers: [UiTokenController, UiSessionController, SessionsController, EnvironmentController],
  providers: [
    AuthenticateKey,
    AuthenticateToken,
    UiTokens,
    IssueUiToken,
    DescribeEnvironment,
    DescribeUiPage,
    DescribeUiSession,
    ReturnFromUi,
    ResumeUiSession,
    EndSessions,
    ManageKeys,
    CreateClient,
    LimitFailures,
    AdmitOrigins,
    // In this order: who is calling comes before how often, then from where, and all of it before the body.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: LimitCallersGuard },
    { provide: APP_GUARD, useClass: OriginGuard },
    { provide: APP_GUARD, useClass: ReadBodyGuard },
  ],
  exports: [ManageKeys, CreateClient],
})
export class AuthModule {}
