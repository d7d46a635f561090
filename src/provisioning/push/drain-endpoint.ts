import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Passage } from '../circuit/circuit';
import { CATCH_UP_PER_SECOND } from '../circuit/endpoint.entity';
import { type DueBatch, type DueDocument, DueDocuments } from './due-documents';
import { inLanes, type Sent } from './sending/in-lanes';
import { LeaveToPull } from './leave-to-pull';
import type { OpenEndpoint } from './open-endpoint';
import { PushLimits } from '../shared/push-limits';
import { type ReadyDocument, SendDocument } from './send-document';
import { EndpointFlow } from './sending/endpoint-flow';
import { SharedSending } from './sending/shared-sending';
import { takeTurn } from '../shared/turn';

/** What the job engine knows of a drain. */
export interface DrainOptions {
  /** Whether the endpoint has last answered promptly. */
  readonly prompt: boolean;
  /** Called when the first document has left, or there is none: until then the drain takes database and processor. */
  readonly begun: () => void;
}

/**
 * The job "drain endpoint Y": pushes what is due for one client, in order, until nothing is due, it is held back, or its
 * turn is over. While it waits for the endpoint it holds a socket and no connection to the database.
 */
@Injectable()
export class DrainEndpoint {
  constructor(
    private readonly due: DueDocuments,
    private readonly send: SendDocument,
    private readonly leave: LeaveToPull,
    private readonly limits: PushLimits,
    private readonly sharing: SharedSending,
  ) {}

  async run(
    environmentUuid: string,
    signal: AbortSignal,
    { prompt, begun }: DrainOptions = { prompt: true, begun: () => undefined },
  ): Promise<void> {
    const { places, inFlight } = this.sharing;
    const { lanesAtFirst } = this.limits;
    const width = prompt ? lanesAtFirst : Math.max(lanesAtFirst, places.widthOf(environmentUuid));
    const flow = new EndpointFlow(this.limits, places, prompt, width);
    try {
      await inFlight.once(environmentUuid, (sending) =>
        takeTurn(signal, this.limits, (turn, cut) => this.drain({ environmentUuid, sending, flow, turn, cut, begun })),
      );
      await this.sharing.prompt.note(environmentUuid, prompt, flow);
    } finally {
      flow.close();
      places.remember(environmentUuid, flow.prompt ? 1 : flow.grown);
    }
  }

  /** Transactions that this process does not send, although they are due. */
  get leftOut(): string[] {
    return this.sharing.unwritten.refused.transactions();
  }

  private async drain(drain: Drain): Promise<void> {
    const { sending, flow, turn } = drain;
    const rate = new Rate(CATCH_UP_PER_SECOND);
    let batch = await this.next(drain);
    while (batch && !turn.aborted) {
      const { through } = batch;
      let other: DueBatch | null | undefined;
      const more = async () => {
        // An endpoint that has not answered yet may never: nothing more is looked up for it.
        await flow.firstEnded;
        const found = turn.aborted ? null : await this.next(drain);
        if (found?.through === 'open') return withEndpoint(found);
        other = found;
        return [];
      };
      const held = await inLanes(
        {
          first: withEndpoint(batch),
          // What a trial tells of the endpoint decides about all others.
          ...(through === 'open' && { more }),
          prepare: ({ document, endpoint }) => {
            sending.add(document);
            // For an endpoint that is slow it is read when its turn has come.
            return { document, endpoint, ready: flow.prompt ? this.send.prepare(document, endpoint) : null };
          },
          send: (addressed) => this.sendOne(drain, addressed, through),
        },
        {
          lanes: () => flow.lanes,
          ahead: () => flow.ahead,
          pace: async () => (through === 'catching up' ? rate.next() : undefined),
          goOn: () => !turn.aborted,
        },
      );
      if (held) return;
      batch = other === undefined ? await this.next(drain) : other;
    }
  }

  private async sendOne(drain: Drain, addressed: Prepared, through: Passage): Promise<Sent> {
    const { sending, flow, turn, cut, begun } = drain;
    const { document, endpoint, ready } = addressed;
    let leave = () => undefined as void;
    const leaving = () => {
      leave();
      begun();
    };
    await this.sharing.unwritten.writable();
    if (!ready && !turn.aborted) leave = await this.sharing.places.enterQuietly();
    if (turn.aborted) {
      leave();
      flow.oneEnded(); // else the lanes that wait for more would wait for ever
      return { ok: true, settled: Promise.resolve(false) };
    }
    flow.addressVersion = endpoint.addressVersion;
    const made = ready ?? this.send.prepare(document, endpoint);
    const sent = this.send.run(made, endpoint, through, { flow, cut, leaving });
    const { ok, settled } = await sent.finally(() => flow.oneEnded());
    return { ok, settled: settled.finally(() => sending.delete(document)) };
  }

  /** What is due beside those that are being sent or must not be sent; what is too large is left to be pulled. */
  private async next({ environmentUuid, sending, flow }: Drain): Promise<DueBatch | null> {
    const { places, unwritten } = this.sharing;
    if (unwritten.refused.isFull(environmentUuid)) return null;
    const look = async () => {
      const beside = [...sending].map(({ transaction }) => transaction.uuid);
      beside.push(...unwritten.refused.transactions(environmentUuid));
      const batch = await this.due.next(environmentUuid, beside, flow.batch);
      if (batch) await this.leave.run(batch.tooLarge);
      return batch;
    };
    return flow.prompt ? look() : places.quietly(look);
  }
}

/** One run of the job. */
interface Drain {
  readonly environmentUuid: string;
  /** What it has made ready, or sent and not yet written down. */
  readonly sending: Set<DueDocument>;
  readonly flow: EndpointFlow;
  readonly turn: AbortSignal;
  readonly cut: AbortSignal;
  readonly begun: () => void;
}

interface Addressed {
  readonly document: DueDocument;
  readonly endpoint: OpenEndpoint;
}

interface Prepared extends Addressed {
  readonly ready: ReadyDocument | null;
}

/** Each with the endpoint that it was looked up for: settings may change from one batch to the next. */
function withEndpoint({ documents, endpoint }: DueBatch): Addressed[] {
  return documents.map((document) => ({ document, endpoint }));
}

/** So many a second, evenly: what was not used is not saved up. */
class Rate {
  private at = 0;

  constructor(private readonly perSecond: number) {}

  async next(): Promise<void> {
    const now = performance.now();
    this.at = Math.max(now, this.at + 1000 / this.perSecond);
    if (this.at > now) await pause(this.at - now);
  }
}
