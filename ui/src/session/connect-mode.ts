import type { ConnectMode } from '../../../connect/src/protocol';

/**
 * How `@docfetch/connect` shows this page; null if it does not, or if the browser has separated this window from the page that has
 * opened it. It decides only how this page behaves: the service knows to which origin it reports.
 */
export const CONNECT_MODE: ConnectMode | null = readMode(new URLSearchParams(location.search).get('connect'));

function readMode(mode: string | null): ConnectMode | null {
  if (mode === 'iframe') return window.parent === window ? null : mode;
  return mode === 'popup' && window.opener !== null ? mode : null;
}
