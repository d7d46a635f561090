import { type Docfetch, type Event, pullDocument, type Transaction } from '../../../typescript/dist/index.js';
import type { Message } from './forwarder';
import type { Target } from './target';

const PUSH_TIMEOUT_MS = 30_000;
const WEBHOOK_TIMEOUT_MS = 10_000;

type OnAnswer = Message['onAnswer'];

/** A document as the service pushes it: the whole payload with the content, which is read when it is sent. */
export function pushOf(
  client: Docfetch,
  { transaction_uuid }: Transaction,
  target: Target,
  signal: AbortSignal,
  onAnswer: OnAnswer,
): Message {
  return {
    id: transaction_uuid,
    headers: { 'idempotency-key': transaction_uuid },
    target,
    timeoutMs: PUSH_TIMEOUT_MS,
    body: async () => {
      const { data } = await pullDocument({ client, path: { transaction_uuid }, signal });
      return Buffer.from(JSON.stringify(data));
    },
    onAnswer,
  };
}

/** An event as the service sends it to a webhook. */
export function webhookOf({ event_uuid, type, created_at, data }: Event, target: Target, onAnswer: OnAnswer): Message {
  const body = Buffer.from(JSON.stringify({ type, timestamp: created_at, data }));
  return {
    id: event_uuid,
    headers: {},
    target,
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    body: async () => body,
    onAnswer,
  };
}
