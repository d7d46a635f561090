import { Injectable } from '@nestjs/common';
import { InjectThrottlerStorage, minutes, normalizeIp, type ThrottlerStorage } from '@nestjs/throttler';
import { Settings } from '../../platform/config/settings';

/** An IPv6 network of this prefix length belongs to one customer. */
const IPV6_PREFIX = 64;

/** The IP address by which a sending server is counted. */
export const sourceOf = (client: string): string => normalizeIp(client, IPV6_PREFIX);

/** The limits of mails per minute, over all processes. */
@Injectable()
export class MailLimits {
  constructor(
    @InjectThrottlerStorage() private readonly storage: ThrottlerStorage,
    private readonly settings: Settings,
  ) {}

  /** Counts a mail that a server begins to send; false over its limit. */
  admitsSource(client: string): Promise<boolean> {
    return this.admits(sourceOf(client), this.settings.mailRatePerSource, 'mails-of-source');
  }

  /** Counts a mail for a connection; false over its limit. */
  admitsRecipient(connectionUuid: string): Promise<boolean> {
    return this.admits(connectionUuid, this.settings.mailRatePerAddress, 'mails-for-address');
  }

  private async admits(tracker: string, limit: number, name: string): Promise<boolean> {
    const ttl = minutes(1);
    return !(await this.storage.increment(tracker, ttl, limit, ttl, name)).isBlocked;
  }
}
