import type { Docfetch } from '../../../typescript/dist/index.js';

/** What the tools read from. */
export interface Source {
  readonly client: Docfetch;
  readonly signal: AbortSignal;
}
