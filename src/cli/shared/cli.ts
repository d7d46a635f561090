import { userInfo } from 'node:os';
import type { Application } from '../use-cases/application';
import type { Print } from './print';
import type { Terminal } from './terminal';

/** What commands work with. */
export interface Cli {
  readonly application: Application;
  readonly print: Print;
  readonly terminal: Terminal;
}

/** The option that every command has. */
export interface AsJson {
  readonly json?: boolean;
}

/** The actor of the support team's changes in the audit log. */
export function cliActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return 'cli'; // a user id without a name, as in some containers
  }
}
