import type { CheckResult } from '../credentials/credential-check';
import type { Connection } from '../state/connection.entity';

/** Writes what a live check has found into the connection. */
export function applyCheckResult(connection: Connection, { account, trustedFingerprints }: CheckResult): void {
  connection.accountId = account.id;
  connection.accountDisplay = connection.inboxAddress ?? account.display;
  connection.trustedFingerprints = trustedFingerprints;
}
