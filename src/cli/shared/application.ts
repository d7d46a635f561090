import { Inject, Injectable } from '@nestjs/common';
import { loadSettings } from '../../bootstrap/load-settings';
import type { Tolerated } from '../../bootstrap/verify-installation';
import { startupError } from '../../bootstrap/startup-error';
import type { RunningApplication, UseCases } from './open-application';

/** Starts the application. @throws Error in one sentence when the start-up check fails */
export type OpenApplication = (tolerated: Tolerated) => Promise<RunningApplication>;

export const OPEN_APPLICATION = Symbol('OpenApplication');

/** The application of the settings, loaded on demand and after them, because its modules take a second. */
export const openConfigured: OpenApplication = async (tolerated) => {
  const settings = loadSettings();
  return (await import('./open-application.js')).openApplication(settings, tolerated);
};

/**
 * The application behind the commands, started on first use: help and usage errors need neither settings nor a database.
 */
@Injectable()
export class Application {
  private opened: Promise<RunningApplication> | undefined;

  constructor(@Inject(OPEN_APPLICATION) private readonly open: OpenApplication) {}

  /**
   * Ends the process with one line per error when settings are wrong.
   * @throws Error in one sentence when the startup check fails, which is the same as that of the service
   */
  async useCases(tolerated: Tolerated = {}): Promise<UseCases> {
    this.opened ??= this.open(tolerated);
    return (await this.opened).useCases;
  }

  /** The reason for the failure of a command, in one line. */
  async reason(error: Error): Promise<string> {
    const open = await this.opened?.catch(() => undefined);
    return open ? open.reason(error) : startupError(error);
  }

  async close(): Promise<void> {
    const open = await this.opened?.catch(() => undefined);
    await open?.close();
  }
}
