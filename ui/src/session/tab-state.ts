import type { FieldValue } from '../fields/field-values';
import type { Lang } from '../messages/date-format';
import { CONNECT_MODE } from './connect-mode';
import type { SessionOutcome } from './session';

/** What the storage of the tab keeps for a reload: never the token, and no secret of a form. */
export interface TabState {
  readonly return_url?: string;
  readonly lang?: Lang;
  /** Restores the session, together with the cookie of this browser. */
  readonly reference?: string | null;
  readonly outcome?: SessionOutcome;
  /** The input of the open form, and the fragment of its view. */
  readonly input?: { readonly view: string; readonly values: Readonly<Record<string, FieldValue | null>> } | null;
  /** The labels of selected folders, which are known only while their level of the tree is loaded. */
  readonly labels?: Readonly<Record<string, string>> | null;
}

/** Name of the entry in the tab's storage. */
const ENTRY = 'docfetch-tab';

export function readTab(): TabState {
  try {
    return (JSON.parse(sessionStorage.getItem(ENTRY) ?? '{}') as TabState | null) ?? {};
  } catch {
    return {};
  }
}

export function writeTab(state: TabState): void {
  try {
    sessionStorage.setItem(ENTRY, JSON.stringify(state));
  } catch {
    // The browser blocks storage, for example in a frame: a reload leads to a page without a session.
  }
}

/** Changes the state of a session that a reload can restore; does nothing for another one. */
export function keepInTab(change: TabState): void {
  const state = readTab();
  if (state.reference && CONNECT_MODE === null) writeTab({ ...state, ...change });
}

/** Removes all data of the session. What remains leads back to the client. */
export function endTabSession(): void {
  const { reference, return_url, lang } = readTab();
  if (reference) writeTab({ return_url, lang });
}
