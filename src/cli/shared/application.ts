import { Injectable } from '@nestjs/common';
import type { Tolerated } from '../../bootstrap/verify-installation';
import { startupError } from '../../bootstrap/startup-error';
import type { OpenApplication, UseCases } from './open-application';

/**
 * The application behind the commands, loaded and started for the first that needs it: help and mistakes are answered at once,
 * without settings and without a database.
 */
@Injectable()
export class Application {
  private opened: Promise<OpenApplication> | undefined;

  /**
   * Ends the process with one line per fault when settings are wrong.
   * @throws Error in one sentence, when the start-up check fails that the service makes as well
   */
  async useCases(tolerated: Tolerated = {}): Promise<UseCases> {
    this.opened ??= import('./open-application.js').then(({ openApplication }) => openApplication(tolerated));
    return (await this.opened).useCases;
  }

  /** Why a command failed, in one line. */
  async reason(error: Error): Promise<string> {
    const open = await this.opened?.catch(() => undefined);
    return open ? open.reason(error) : startupError(error);
  }

  async close(): Promise<void> {
    const open = await this.opened?.catch(() => undefined);
    await open?.close();
  }
}
