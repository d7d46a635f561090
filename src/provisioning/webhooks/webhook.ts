import { Injectable } from '@nestjs/common';
import type { SigningSecret } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { failureOf } from '../shared/failure-of';
import { post } from '../shared/post';
import { PushLimits } from '../shared/push-limits';
import { sign } from '../shared/sign';
import type { WebhookEvent } from './webhook-event.view';

/** The service itself has stopped, or was stopped, while it was sending: whether it arrived is not known. */
export const INTERRUPTED = 'INTERRUPTED';

/** How a sending ended: it arrived exactly when `errorCode` is null. */
export interface WebhookResult {
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly responseExcerpt: string | null;
  readonly durationMs: number;
}

/** Where an event goes, and whose connections it takes (decisions 6, isolation). */
export interface Receiver {
  readonly url: string;
  readonly environmentUuid: string;
}

/** Sends one event to one address, once (spec 6): signed, ten seconds at the most, no redirects. */
@Injectable()
export class WebhookCall {
  constructor(
    private readonly network: GuardedNetwork,
    private readonly clock: Clock,
    private readonly limits: PushLimits,
  ) {}

  /** Any 2xx is success. Never rejects because of the receiver, or of `cut`, which ends it at once. */
  async run(
    { url, environmentUuid }: Receiver,
    secrets: readonly SigningSecret[],
    id: string,
    event: WebhookEvent,
    { cut, leaving }: { readonly cut?: AbortSignal; readonly leaving?: () => void } = {},
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
    const { webhookMs } = this.limits;
    try {
      const patience = { wholeMs: webhookMs, silenceMs: webhookMs, ...(cut && { cut }) };
      const dispatcher = this.network.dispatcherOf(environmentUuid);
      leaving?.();
      const answer = await post(dispatcher, { url: new URL(url), headers, body }, patience);
      return ended(answer.status, codeOf(answer.status), answer.excerpt);
    } catch (error) {
      return ended(null, cut?.aborted ? INTERRUPTED : failureOf(error), null);
    }
  }
}

function codeOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'REDIRECT_REFUSED' : 'UNEXPECTED_STATUS';
}
