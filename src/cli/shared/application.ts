import { Inject, Injectable } from '@nestjs/common';
import { loadSettings } from '../../bootstrap/load-settings';
import type { Tolerated } from '../../bootstrap/verify-installation';
import type { Settings } from '../../platform/config/settings';
import type { Administration } from './open-administration';
import type { UseCases } from './open-application';

export interface Opened<Found> {
  readonly useCases: Found;
  readonly close: () => Promise<void>;
}

/** Starts what a command needs. Both throw an Error in one sentence when the start-up check fails. */
export interface Openers {
  administration(tolerated: Tolerated): Promise<Opened<Administration>>;
  application(tolerated: Tolerated): Promise<Opened<UseCases>>;
}

export const OPENERS = Symbol('Openers');

/** Their modules are loaded on demand, and after the settings, because that takes up to a second. */
export const openersWith = (read: () => Settings): Openers => ({
  async administration(tolerated) {
    const settings = read();
    return (await import('./open-administration.js')).openAdministration(settings, tolerated);
  },
  async application(tolerated) {
    const settings = read();
    return (await import('./open-application.js')).openApplication(settings, tolerated);
  },
});

/** Ends the process with one line per error when settings are wrong. */
export const openConfigured: Openers = openersWith(loadSettings);

/**
 * The application behind the commands, started on first use: help and usage errors need neither settings nor a database. A command
 * uses one of the two methods, which throw an Error in one sentence when the start-up check fails; it is the same as that of the
 * service.
 */
@Injectable()
export class Application {
  private opened: Promise<Opened<unknown>> | undefined;

  constructor(@Inject(OPENERS) private readonly open: Openers) {}

  /** Environments, keys, the console's sessions, data keys and the audit log: starts in less than half the time of all use cases. */
  async administration(tolerated: Tolerated = {}): Promise<Administration> {
    const opened = this.open.administration(tolerated);
    this.opened = opened;
    return (await opened).useCases;
  }

  async useCases(): Promise<UseCases> {
    const opened = this.open.application({});
    this.opened = opened;
    return (await opened).useCases;
  }

  async close(): Promise<void> {
    const open = await this.opened?.catch(() => undefined);
    await open?.close();
  }
}
