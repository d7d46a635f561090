import { useEffect } from 'react';
import type { PageLink } from './page-link';
import type { SessionOutcome } from './session';

/** A signed return URL is valid for five minutes. */
const RENEW_MS = 240_000;

/**
 * Passes the signed result of what has been done so far to the page that has opened the hosted UI, so that the page has it whenever
 * the user closes the window or the frame. A failed request is repeated with the next change.
 */
export function useReportResult(page: PageLink | null, outcome: SessionOutcome, sign: () => Promise<string>): void {
  useEffect(() => {
    if (!page) return;
    const report = () =>
      void sign().then(
        (url) => page.send({ docfetchConnect: 'result', url }),
        () => undefined,
      );
    report();
    const timer = setInterval(report, RENEW_MS);
    return () => clearInterval(timer);
  }, [page, outcome, sign]);
}
