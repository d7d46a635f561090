import {
  acknowledgeTransaction,
  DocfetchError,
  type Docfetch,
  type Event,
  getEnvironment,
  type Transaction,
} from '../../../typescript/dist/index.js';
import { CommandError } from '../failure';
import { followEvents, followTransactions } from '../feed/feeds';
import type { FollowedPage, FollowOptions } from '../feed/follow-feed';
import { retryTemporary } from '../feed/retry-temporary';
import { AnswerPrinter } from '../listen/answer-printer';
import { CursorFile, type Feed } from '../listen/cursor-file';
import { Forwarder, type Message } from '../listen/forwarder';
import { watchKeys } from '../listen/keyboard';
import { localSecret } from '../listen/local-secret';
import { pushOf, webhookOf } from '../listen/messages-of';
import { type Auth, type Target, targetOf } from '../listen/target';
import { openSession, type Setup } from '../session';

export interface ListenOptions {
  readonly forwardTo?: string;
  readonly forwardEventsTo?: string;
  readonly events?: readonly string[];
  readonly from: 'now' | 'last' | 'start';
  readonly acknowledge?: boolean;
  readonly auth: Auth;
  readonly connection?: string;
  readonly interval: number;
  readonly printSecret?: boolean;
}

/** Forwards documents and events to endpoints of the developer, until it is stopped. */
export async function listen(setup: Setup, options: ListenOptions): Promise<void> {
  const { context, messages, output } = setup;
  const secret = localSecret(context, messages);
  if (options.printSecret) return output.print({ secret }, [secret]);
  const { forwardTo, forwardEventsTo, auth } = options;
  const token = context.env.DOCFETCH_ENDPOINT_TOKEN || undefined;
  const targets = {
    documents: forwardTo === undefined ? null : targetOf(forwardTo, auth, token, messages),
    // Webhooks of the service have a signature only.
    events: forwardEventsTo === undefined ? null : targetOf(forwardEventsTo, 'none', undefined, messages),
  };
  if (!targets.documents && !targets.events) throw new CommandError(messages.targetMissing, 'USAGE');
  await new Listener(setup, options, targets, secret).run();
}

class Listener {
  private readonly stopped = new AbortController();
  private readonly signal: AbortSignal;
  private readonly client: Docfetch;
  private readonly url: string;
  private readonly answers: AnswerPrinter;
  private latest: Forwarder | null = null;
  /** Feeds whose position is not known yet. */
  private starting = 0;
  private interrupted = false;
  private pushLimit = Infinity;

  constructor(
    private readonly setup: Setup,
    private readonly options: ListenOptions,
    private readonly targets: Readonly<Record<Feed, Target | null>>,
    private readonly secret: string,
  ) {
    this.signal = AbortSignal.any([setup.context.signal, this.stopped.signal]);
    ({ client: this.client, url: this.url } = openSession(setup));
    this.answers = new AnswerPrinter(setup);
  }

  /** Resolves when it is stopped. @throws DocfetchError when the service refuses a request */
  async run(): Promise<void> {
    const { data: environment } = await getEnvironment({ client: this.client, signal: this.signal });
    this.pushLimit = environment.limits.push_limit_bytes;
    this.answers.start(environment, this.targets);
    const endKeys = watchKeys(this.setup.context.stdin, (key) => this.onKey(key));
    const { documents, events } = this.targets;
    const cursorOf = (feed: Feed, { name }: Target) =>
      new CursorFile(this.setup.context, `${this.url} ${environment.environment_uuid} ${feed} ${name}`);
    this.starting = Number(!!documents) + Number(!!events);
    try {
      await Promise.all([
        documents && this.forwardDocuments(documents, cursorOf('documents', documents)),
        events && this.forwardEvents(events, cursorOf('events', events)),
      ]);
    } catch (error) {
      if (!this.signal.aborted) throw error;
    } finally {
      this.stopped.abort(); // An error of one feed ends the other.
      endKeys();
    }
  }

  private async forwardDocuments(target: Target, cursors: CursorFile): Promise<void> {
    const forwarder = this.forwarder();
    const query = { connection_uuid: this.options.connection };
    const pages = followTransactions(this.client, query, this.followOptions(cursors, 'documents'));
    await this.each(pages, cursors, 'documents', async (document) => {
      if (document.document.size > this.pushLimit) return this.answers.tooLarge(document, this.pushLimit);
      await this.send(forwarder, this.push(document, target), () => this.answers.unavailable(document));
    });
  }

  private async forwardEvents(target: Target, cursors: CursorFile): Promise<void> {
    const forwarder = this.forwarder();
    const query = { connection_uuid: this.options.connection };
    const pages = followEvents(this.client, query, { ...this.followOptions(cursors, 'events'), inEnglish: true });
    await this.each(pages, cursors, 'events', async (event: Event) => {
      if (this.options.events && !this.options.events.includes(event.type)) return;
      const onAnswer: Message['onAnswer'] = async (answer, repeated) =>
        this.answers.ofEvent(event, target, answer, repeated);
      await this.send(forwarder, webhookOf(event, target, onAnswer), () => undefined);
    });
  }

  private push(document: Transaction, target: Target): Message {
    const path = { transaction_uuid: document.transaction_uuid };
    const { client, signal } = this;
    const message = pushOf(client, document, target, signal, async (answer, repeated) => {
      const acknowledged = answer.status === 200 && this.options.acknowledge === true;
      if (acknowledged)
        await retryTemporary(
          () => acknowledgeTransaction({ client, path, body: { result: 'ACCEPTED' }, signal }),
          this.retryOptions(),
        );
      this.answers.ofDocument(document, target, answer, { repeated, acknowledged });
    });
    return { ...message, body: () => retryTemporary(() => message.body(), this.retryOptions()) };
  }

  /** Sends a message whose document may have been deleted meanwhile. */
  private async send(forwarder: Forwarder, message: Message, onGone: () => void): Promise<void> {
    try {
      await forwarder.send(message);
      this.latest = forwarder;
    } catch (error) {
      if (!(error instanceof DocfetchError && error.status === 404)) throw error;
      onGone();
    }
  }

  private async each<Item>(
    pages: AsyncIterable<FollowedPage<Item>>,
    cursors: CursorFile,
    feed: Feed,
    forward: (item: Item) => Promise<void>,
  ): Promise<void> {
    let first = true;
    for await (const { items, cursor } of pages) {
      if (first && --this.starting === 0) this.answers.ready();
      first = false;
      for (const item of items) {
        await forward(item);
        // What was not answered is sent again after the next start.
        if (this.signal.aborted) return;
      }
      cursors.set(feed, cursor);
    }
  }

  private forwarder(): Forwarder {
    return new Forwarder({
      secret: this.secret,
      signal: this.signal,
      onWaiting: (target) => this.answers.endpointAway(target),
      onAnswering: (target) => this.answers.endpointBack(target),
    });
  }

  private followOptions(cursors: CursorFile, feed: Feed): FollowOptions {
    const { from, interval } = this.options;
    const stored = from === 'last' ? cursors.get(feed) : undefined;
    const cursor = from === 'start' ? undefined : (stored ?? 'now');
    return { ...this.retryOptions(), intervalMs: interval * 1000, cursor, follow: true };
  }

  private retryOptions() {
    return {
      intervalMs: 1000,
      signal: this.signal,
      onInterrupted: () => {
        if (!this.interrupted) this.answers.serviceAway();
        this.interrupted = true;
      },
      onResumed: () => {
        if (this.interrupted) this.answers.serviceBack();
        this.interrupted = false;
      },
    };
  }

  private onKey(key: string): void {
    if (key === 'q' || key === '\u0003') this.stopped.abort();
    if (key !== 'r') return;
    if (!this.latest) return this.answers.nothingToReplay();
    this.latest.replay().catch((error: unknown) => this.answers.failed(error));
  }
}
