import { join } from 'node:path';
import type { CallerRateLimitGuard as Guard } from '../../src/auth/guards/caller-rate-limit.guard';

// Loaded into the service before anything else (`--require`): disables the general rate limits on command
// and enables them again, so that their cost can be measured.

const GUARD = join(process.cwd(), 'dist', 'src', 'auth', 'guards', 'caller-rate-limit.guard.js');
let counting: Guard['canActivate'] | undefined;

process.on('message', (message: { limits?: boolean }) => {
  if (message.limits === undefined) return;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the very class that the service has loaded
  const { CallerRateLimitGuard } = require(GUARD) as { CallerRateLimitGuard: { prototype: Guard } };
  counting ??= CallerRateLimitGuard.prototype.canActivate;
  CallerRateLimitGuard.prototype.canActivate = message.limits ? counting : () => Promise.resolve(true);
  process.send!(message.limits ? 'on' : 'off');
});
