import type { Environment } from '../../identities/environments/environment.entity';
import type { Strategy } from '../../identities/environments/setting-values';
import type { ProvisioningStatus } from './provisioning-status';

/** The columns of a transaction whose delivery begins, when it is recorded or redelivered. */
export interface InitialDelivery {
  readonly strategy: Strategy;
  readonly status: ProvisioningStatus;
  readonly due_at: Date | null;
  /** The content is kept for the full retention from now on; null: until the client acknowledges it. */
  readonly available_until: Date | null;
}

type Provisioning = Pick<Environment, 'strategy' | 'pushLimitBytes' | 'retentionDays'>;

/** A held duplicate (decisions 9): available, whatever the strategy is, and kept until the client acknowledges it. */
export const heldDelivery = ({ strategy }: Pick<Environment, 'strategy'>): InitialDelivery => ({
  strategy,
  status: 'AVAILABLE',
  due_at: null,
  available_until: null,
});

/** decisions 6: a push is due immediately; a document over the push limit becomes available to be pulled. */
export function initialDelivery(environment: Provisioning, size: number, now: Date): InitialDelivery {
  const { strategy, retentionDays } = environment;
  const pushed = strategy === 'PUSH' && fitsPush(environment, size);
  return {
    strategy,
    status: pushed ? 'PENDING' : 'AVAILABLE',
    due_at: pushed ? now : null,
    available_until: new Date(now.getTime() + retentionDays * 86_400_000),
  };
}

/** decisions 6: whether a document of `size` bytes is within the push limit. */
export function fitsPush({ pushLimitBytes }: Pick<Environment, 'pushLimitBytes'>, size: number): boolean {
  return size <= pushLimitBytes;
}
