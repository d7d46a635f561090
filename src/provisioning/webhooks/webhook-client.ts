import { Injectable } from '@nestjs/common';
import type { SigningSecret } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { networkErrorCode } from '../shared/network-error-code';
import { post } from '../shared/post';
import { PushLimits } from '../shared/push-limits';
import { sign } from '../shared/sign';
import type { WebhookEvent } from './webhook-event.view';

/** The service stopped while it was sending: it is unknown whether the event arrived. */
export const WEBHOOK_INTERRUPTED = 'INTERRUPTED';

/** The result of sending: it arrived exactly when `errorCode` is null. */
export interface WebhookResult {
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly responseExcerpt: string | null;
  readonly durationMs: number;
}

/** The target of an event, and the environment whose connections it uses (decisions 6, isolation). */
export interface WebhookTarget {
  readonly url: string;
  readonly environmentUuid: string;
}

/** Sends one event to one address, once (spec 6): signed, within ten seconds, without following redirects. */
@Injectable()
export class WebhookClient {
  constructor(
    private readonly network: GuardedNetwork,
    private readonly clock: Clock,
    private readonly limits: PushLimits,
  ) {}

  /** Any 2xx is success. Never rejects because of the receiver, or of `cut`, which aborts it immediately. */
  async send(
    { url, environmentUuid }: WebhookTarget,
    secrets: readonly SigningSecret[],
    id: string,
    event: WebhookEvent,
    { cut, onRequestStart }: { readonly cut?: AbortSignal; readonly onRequestStart?: () => void } = {},
  ): Promise<WebhookResult> {
    const started = performance.now();
    const ended = (status: number | null, errorCode: string | null, responseExcerpt: string | null): WebhookResult => ({
      status,
      errorCode,
      responseExcerpt,
      durationMs: Math.round(performance.now() - started),
    });
    const body = Buffer.from(JSON.stringify(event));
    const signature = await sign(secrets, id, this.clock.now(), [body]);
    const headers = { ...signature, 'content-type': 'application/json', 'user-agent': 'Docfetch' };
    const { webhookTimeoutMs } = this.limits;
    try {
      const timeouts = { totalMs: webhookTimeoutMs, idleMs: webhookTimeoutMs, ...(cut && { signal: cut }) };
      const dispatcher = this.network.dispatcherOf(environmentUuid);
      onRequestStart?.();
      const answer = await post(dispatcher, { url: new URL(url), headers, body }, timeouts);
      return ended(answer.status, errorCodeOf(answer.status), answer.excerpt);
    } catch (error) {
      return ended(null, cut?.aborted ? WEBHOOK_INTERRUPTED : networkErrorCode(error), null);
    }
  }
}

function errorCodeOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'REDIRECT_REFUSED' : 'UNEXPECTED_STATUS';
}
