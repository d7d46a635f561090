import type { Environment, Event, Transaction } from '../../../typescript/dist/index.js';
import { describeFailure } from '../failure';
import { eventLine, timeOfDay } from '../output/describe';
import type { Setup } from '../session';
import type { Feed } from './cursor-file';
import type { Answer } from './post-message';
import type { Target } from './target';

const EXCERPT_LINES = 5;

/** Prints what happens while `listen` runs: text for people, or one object per line. */
export class AnswerPrinter {
  constructor(private readonly setup: Setup) {}

  start(
    { client_name, name, kind, provisioning }: Environment,
    { documents, events }: Record<Feed, Target | null>,
  ): void {
    const { messages, output, context } = this.setup;
    output.note(messages.listening(`${client_name}, ${name} (${kind})`));
    if (documents) output.note(messages.documentsGoTo(documents.name));
    if (documents && provisioning.strategy === 'PUSH' && provisioning.url)
      output.note(messages.alsoPushed(provisioning.url));
    if (events) output.note(messages.eventsGoTo(events.name));
    output.note(messages.signedLocally);
    if (context.stdin.isTTY) output.note(messages.keys);
  }

  /** From now on, everything new is forwarded. */
  ready(): void {
    if (this.setup.output.asJson) this.setup.output.print({ kind: 'ready' }, []);
  }

  ofDocument(
    { transaction_uuid, document_type, document: { filename } }: Transaction,
    target: Target,
    answer: Answer,
    { repeated, acknowledged }: { readonly repeated: boolean; readonly acknowledged: boolean },
  ): void {
    const { messages, output } = this.setup;
    const ok = answer.status === 200;
    const notes = [...(acknowledged ? [messages.acknowledged] : []), ...(repeated ? [messages.replayed] : [])];
    output.print(
      {
        kind: 'document',
        transaction_uuid,
        document_type,
        filename,
        ...this.result(target, answer, ok, repeated),
        acknowledged,
      },
      this.lines([document_type, filename, transaction_uuid], answer, ok, notes),
    );
  }

  ofEvent(event: Event, target: Target, answer: Answer, repeated: boolean): void {
    const { messages, output } = this.setup;
    const ok = answer.status !== null && answer.status >= 200 && answer.status < 300;
    const { event_uuid, type } = event;
    output.print(
      { kind: 'event', event_uuid, type, ...this.result(target, answer, ok, repeated) },
      this.lines([eventLine(event)], answer, ok, repeated ? [messages.replayed] : []),
    );
  }

  tooLarge(document: Transaction, limit: number): void {
    this.skipped(document, 'TOO_LARGE_FOR_PUSH', this.setup.messages.tooLargeForPush(limit));
  }

  unavailable(document: Transaction): void {
    this.skipped(document, 'DOCUMENT_NOT_AVAILABLE', this.setup.messages.notAvailable);
  }

  endpointAway({ name }: Target): void {
    this.state('endpoint', 'away', this.setup.messages.endpointAway(name), name);
  }

  endpointBack({ name }: Target): void {
    this.state('endpoint', 'back', this.setup.messages.endpointBack(name), name);
  }

  serviceAway(): void {
    this.state('service', 'away', this.setup.messages.serviceAway);
  }

  serviceBack(): void {
    this.state('service', 'back', this.setup.messages.serviceBack);
  }

  nothingToReplay(): void {
    this.setup.output.note(this.setup.messages.nothingToReplay);
  }

  failed(error: unknown): void {
    this.setup.output.failure(describeFailure(error, this.setup.messages));
  }

  private state(kind: string, state: 'away' | 'back', text: string, to?: string): void {
    const { output } = this.setup;
    if (output.asJson) output.print({ kind, state, to }, []);
    else output.note(text);
  }

  private skipped({ transaction_uuid, document_type, document: { filename } }: Transaction, code: string, why: string) {
    const line = [timeOfDay(new Date()), document_type, filename, transaction_uuid, why].join('  ');
    this.setup.output.print({ kind: 'skipped', transaction_uuid, document_type, filename, code }, [line]);
  }

  private result({ name }: Target, { status, error, durationMs, excerpt }: Answer, ok: boolean, repeated: boolean) {
    return { to: name, ok, status, error, duration_ms: durationMs, response_excerpt: excerpt, replayed: repeated };
  }

  /** The answer in one line, and below it what the endpoint said when it did not accept the message. */
  private lines(subject: readonly string[], answer: Answer, ok: boolean, notes: readonly string[]): string[] {
    const { messages } = this.setup;
    const result = messages.inMilliseconds(String(answer.status ?? answer.error), answer.durationMs);
    const line = [timeOfDay(new Date()), ...subject, [result, ...notes].join(', ')].join('  ');
    const excerpt = ok ? [] : answer.excerpt.split(/\r?\n/).filter((each) => each.trim() !== '');
    return [line, ...excerpt.slice(0, EXCERPT_LINES).map((each) => `          ${each}`)];
  }
}
