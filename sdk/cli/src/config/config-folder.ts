import { posix, win32 } from 'node:path';
import type { Context } from '../context';

/**
 * The folder of the stored key and of cursors: `DOCFETCH_CONFIG_DIR`, or where the platform keeps the configuration of its
 * user.
 */
export function configFolder({ env, platform, home }: Pick<Context, 'env' | 'platform' | 'home'>): string {
  if (env.DOCFETCH_CONFIG_DIR) return env.DOCFETCH_CONFIG_DIR;
  if (platform === 'win32') return win32.join(env.APPDATA || win32.join(home, 'AppData', 'Roaming'), 'docfetch');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'docfetch');
  // A relative path in this variable is invalid and has to be ignored (XDG Base Directory Specification).
  const base = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : posix.join(home, '.config');
  return posix.join(base, 'docfetch');
}
