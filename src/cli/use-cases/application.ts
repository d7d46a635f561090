import { loadSettings } from '../../bootstrap/load-settings';
import type { Tolerated } from '../../bootstrap/verify-installation';
import type { Settings } from '../../platform/config/settings';
import type { OpenUseCases, UseCases } from './open-use-cases';

/** Starts the use cases. @throws Error in one sentence when the start-up check fails */
export type Open = (tolerated: Tolerated) => Promise<OpenUseCases>;

/** The code is loaded on demand, and after the settings, because that takes half a second. */
export const openWith =
  (read: () => Settings): Open =>
  async (tolerated) => {
    const settings = read();
    return (await import('./open-use-cases.js')).openUseCases(settings, tolerated);
  };

/** Ends the process with one line per error when settings are wrong. */
export const openConfigured: Open = openWith(loadSettings);

/** The use cases behind the commands, started on first use: help and usage errors need neither settings nor a database. */
export class Application {
  private opened: Promise<OpenUseCases> | undefined;

  constructor(private readonly open: Open) {}

  /** @throws Error in one sentence when the start-up check fails, which is the same as that of the service */
  async useCases(tolerated: Tolerated = {}): Promise<UseCases> {
    this.opened ??= this.open(tolerated);
    return (await this.opened).useCases;
  }

  async close(): Promise<void> {
    const open = await this.opened?.catch(() => undefined);
    await open?.close();
  }
}
