import type { Attempt, Event, Transaction } from '../../../typescript/dist/index.js';
import type { Messages } from '../messages/en';
import { table } from './table';

/** The local time of day. */
export function timeOfDay(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** A document in one line. */
export function transactionLine({ transaction_uuid, document_type, document, provisioning }: Transaction): string {
  return [transaction_uuid, document_type, document.filename, provisioning.status].join('  ');
}

/** An event in one line: what it is about, and its state. */
export function eventLine({ type, data }: Pick<Event, 'type' | 'data'>): string {
  const { transaction_uuid, connection_uuid, filename, status, previous_status, fetch, url, text } = data as {
    readonly [name: string]: string | undefined;
  } & { readonly fetch?: { readonly status: string; readonly counts: { readonly new: number } } };
  const about = transaction_uuid ?? connection_uuid ?? url ?? '';
  const state = previous_status && status ? `${previous_status} → ${status}` : (status ?? fetch?.status ?? filename);
  return [type, about, state ?? text ?? ''].filter(Boolean).join('  ');
}

/** A document with everything known of its delivery, without its content. */
export function transactionLines(transaction: Transaction, attempts: readonly Attempt[], messages: Messages): string[] {
  const { provisioning, document, metadata } = transaction;
  const { labels } = messages;
  const rows: [string, string | null | undefined][] = [
    [labels.document, `${document.filename} (${document.mime_type}, ${document.size} B)`],
    [labels.type, transaction.document_type],
    [labels.status, `${provisioning.status} (${provisioning.strategy})`],
    [labels.number, metadata.number],
    [labels.date, metadata.date],
    [labels.amount, metadata.amount && `${metadata.amount} ${metadata.currency ?? ''}`],
    [labels.externalId, transaction.external_id],
    [labels.client, transaction.client_identifier],
    [labels.connection, `${transaction.connection_uuid} (${transaction.integration_id})`],
    [labels.fetch, transaction.fetch_uuid],
    [labels.recorded, transaction.created_at],
    [labels.availableUntil, document.available_until],
    [labels.nextAttempt, provisioning.next_attempt_at],
    [labels.lastError, provisioning.last_error?.message],
    ['SHA-256', document.sha256],
  ];
  const facts = rows.filter((row): row is [string, string] => !!row[1]);
  const tries = attempts.map(({ number, started_at, status, duration_ms, error, response_excerpt }) => [
    `#${number}`,
    started_at,
    String(status ?? error?.code ?? ''),
    `${duration_ms} ms`,
    error?.message ?? '',
    error ? (response_excerpt ?? '') : '',
  ]);
  return [
    transaction.transaction_uuid,
    ...table(facts.map(([label, value]) => [`  ${label}`, value])),
    ...(tries.length > 0 ? [labels.attempts, ...table(tries).map((line) => `  ${line}`)] : []),
  ];
}
