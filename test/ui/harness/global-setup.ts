import startPostgres from '../../setup/start-postgres';
import { findBrowser, NO_BROWSER } from './find-browser';

/** Fails once if Chromium is missing, instead of in every test. */
export default async function globalSetup(): Promise<void> {
  if (!findBrowser()) {
    process.stderr.write(`\nThe hosted UI is tested in a real browser. ${NO_BROWSER}\n`);
    process.exit(1);
  }
  await startPostgres();
}
