import startPostgres from '../../setup/start-postgres';
import { findBrowser, NO_BROWSER } from './find-browser';

/** Says once what is missing, instead of failing test by test. */
export default async function begin(): Promise<void> {
  if (!findBrowser()) {
    process.stderr.write(`\nThe hosted UI is tested in a real browser. ${NO_BROWSER}\n`);
    process.exit(1);
  }
  await startPostgres();
}
