import { InvalidSettings, Settings } from '../../src/platform/config/settings';

export const KEY = Buffer.alloc(32, 1).toString('base64');
export const OTHER_KEY = Buffer.alloc(32, 2).toString('base64');
/** The least that production requires. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://user:hunter2@db:5432/docfetch',
  PUBLIC_URL: 'https://docs.example.com/',
  ENCRYPTION_KEYS: `k2:${OTHER_KEY},k1:${KEY}`,
  TOKEN_KEYS: `t1:${KEY}`,
};

/** What is wrong with an environment; empty when it is right. */
export function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    Settings.fromEnvironment(env);
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    throw error;
  }
  return [];
}
