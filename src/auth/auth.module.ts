import { Module } from '@nestjs/common';
import { DeprecationHeaders } from '../platform/http/headers/deprecation';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { ConnectionsModule } from '../connections/connections.module';
import { IdentitiesModule } from '../identities/identities.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import { ReadBodyGuard } from '../platform/http/input/json-body';
import { Settings } from '../platform/config/settings';
import { AccessManagementModule } from './access-management.module';
import { AccessGuard } from './guards/access.guard';
import { AuthenticateSession } from './console-session/authenticate-session';
import { ConsoleSessionController } from './console-sign-in/console-session.controller';
import { DescribeConsoleSession } from './console-sign-in/describe-console-session';
import { ConsoleSessionsController } from './console-sign-in/console-sessions.controller';
import { ListConsoleSessions } from './console-sign-in/list-console-sessions';
import { OpenConsoleSession } from './console-sign-in/open-console-session';
import { RemoveExpiredSessions } from './console-sign-in/remove-expired-sessions';
import { RevokeConsoleSession } from './console-sign-in/revoke-console-session';
import { StartConsoleSession } from './console-sign-in/start-console-session';
import { ApiKeysController } from './keys/api-keys.controller';
import { AuthenticateKey } from './keys/authenticate-key';
import { AuthenticateToken } from './tokens/authenticate-token';
import { CreateEnvironmentController } from './environment/create-environment.controller';
import { ThemePreviewController } from './theme-preview/theme-preview.controller';
import { CorsPolicy } from './cross-origin/cors-policy';
import { OriginGuard } from './cross-origin/origin.guard';
import { DescribeUiPage } from './ui-session/describe-ui-page';
import { DescribeUiSession } from './ui-session/describe-ui-session';
import { DescribeEnvironment } from './environment/describe-environment';
import { EnvironmentController } from './environment/environment.controller';
import { EndSessions } from './ui-session/end-sessions';
import { IssueUiToken } from './ui-token/issue-ui-token';
import { CallerRateLimitGuard } from './guards/caller-rate-limit.guard';
import { AuthFailureLimit } from './guards/auth-failure-limit';
import { KeyScopeGuard } from './scopes/key-scope.guard';
import { ListApiKeys } from './keys/list-api-keys';
import { ResumeUiSession } from './ui-session/resume-ui-session';
import { RestoreUiSession } from './ui-session/restore-ui-session';
import { SessionReferences } from './ui-session/session-references';
import { CreateUiReturn } from './ui-session/create-ui-return';
import { SessionsController } from './ui-session/sessions.controller';
import { tokenOptions } from './tokens/token-keys';
import { UiSessionController } from './ui-session/ui-session.controller';
import { UiTokenController } from './ui-token/ui-token.controller';
import { UiTokens } from './tokens/ui-tokens';

/**
 * API keys, UI tokens, return URLs and the global guards.
 * No module imports it; it only identifies the caller.
 */
@Module({
  imports: [
    AccessManagementModule,
    ConnectionsModule,
    IntegrationsModule,
    IdentitiesModule,
    JwtModule.registerAsync({ inject: [Settings], useFactory: tokenOptions }),
  ],
  controllers: [
    UiTokenController,
    UiSessionController,
    SessionsController,
    EnvironmentController,
    ConsoleSessionController,
    ConsoleSessionsController,
    ApiKeysController,
    CreateEnvironmentController,
    ThemePreviewController,
  ],
  providers: [
    AuthenticateKey,
    AuthenticateToken,
    AuthenticateSession,
    UiTokens,
    IssueUiToken,
    DescribeEnvironment,
    DescribeUiPage,
    DescribeUiSession,
    CreateUiReturn,
    ResumeUiSession,
    RestoreUiSession,
    SessionReferences,
    EndSessions,
    ListApiKeys,
    ListConsoleSessions,
    OpenConsoleSession,
    StartConsoleSession,
    RevokeConsoleSession,
    RemoveExpiredSessions,
    DescribeConsoleSession,
    AuthFailureLimit,
    CorsPolicy,
    { provide: APP_GUARD, useClass: DeprecationHeaders },
    // The order matters: authentication, rate limit, scopes, origin, and only then the body.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: CallerRateLimitGuard },
    { provide: APP_GUARD, useClass: KeyScopeGuard },
    { provide: APP_GUARD, useClass: OriginGuard },
    { provide: APP_GUARD, useClass: ReadBodyGuard },
  ],
})
export class AuthModule {}
