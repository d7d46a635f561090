import { findBrowser, NO_BROWSER } from '../ui/harness/find-browser';
import stopPostgres from './stop-postgres';

/** Ends a run of `npm test`, and lists the suites that it does not include when all tests were requested. */
export default async function end(run: { testPathPatterns: { patterns: readonly string[] } }): Promise<void> {
  await stopPostgres();
  if (run.testPathPatterns.patterns.length > 0) return;
  const how = findBrowser() ? 'Run it with: npm run test:ui' : `${NO_BROWSER} Then: npm run test:ui`;
  process.stderr.write(`\nLeft out: the hosted UI in a real browser (test/ui). ${how}\n`);
  process.stderr.write(
    'Left out: what takes long (*.long-spec.ts and LONG_E2E_SUITES in test/suites/suites.ts). Run it with: npm run test:long\n',
  );
  process.stderr.write('Left out: every single connector (CONNECTOR_SUITES). Run it with: npm run test:connectors\n');
}
