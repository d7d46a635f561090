import type { Environment, Strategy } from '../../identities/environments/environment.entity';
import type { ProvisioningStatus } from './transaction.entity';

/** The columns of a transaction whose delivery begins, when it is recorded or redelivered. */
export interface InitialDelivery {
  readonly strategy: Strategy;
  readonly status: ProvisioningStatus;
  readonly due_at: Date | null;
  /** The content is kept for the full retention from now on. */
  readonly available_until: Date;
}

type Provisioning = Pick<Environment, 'strategy' | 'pushLimitBytes' | 'retentionDays'>;

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
