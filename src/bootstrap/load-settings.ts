import { InvalidSettings, Settings } from '../platform/config/settings';

/** The settings, or one line per error and exit status 1 (decisions 8). */
export function loadSettings(): Settings {
  try {
    return Settings.fromEnvironment();
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    for (const problem of error.problems) process.stderr.write(`${problem}\n`);
    process.exit(1);
  }
}
