import type { Readable, Writable } from 'node:stream';

/** Standard input; a terminal can send single keys. */
export interface Input extends Readable {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
}

/** What a command knows of the process that runs it. */
export interface Context {
  readonly stdin: Input;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Ends commands that run until they are stopped. */
  readonly signal: AbortSignal;
}
