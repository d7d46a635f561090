import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../identities/environments/environments.module';
import { CreateConsoleLink } from './console-sign-in/create-console-link';
import { EndConsoleSession } from './console-sign-in/end-console-session';
import { FindConsoleSessions } from './console-sign-in/find-console-sessions';
import { CreateClient } from './keys/create-client';
import { ManageKeys } from './keys/manage-keys';
import { PreviewTheme } from './theme-preview/preview-theme';

const USE_CASES = [ManageKeys, CreateClient, CreateConsoleLink, FindConsoleSessions, EndConsoleSession, PreviewTheme];

/** What is issued to clients and ended again: API keys, links to the console and its sessions, previews of a theme. */
@Module({ imports: [EnvironmentsModule], providers: USE_CASES, exports: USE_CASES })
export class AccessManagementModule {}
