import type { Logger } from '@nestjs/common';

/**
 * Wraps what a timer calls: a look that takes longer than the interval is not overtaken by the next one, and one that
 * fails is logged and tried again at the next tick.
 */
export function oneAtATime(look: () => Promise<unknown>, logger: Logger, failure: string): () => Promise<void> {
  let looking = false;
  return async () => {
    if (looking) return;
    looking = true;
    try {
      await look();
    } catch (error) {
      logger.error(error, failure);
    } finally {
      looking = false;
    }
  };
}
