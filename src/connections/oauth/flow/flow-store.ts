import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Settings } from '../../../platform/config/settings';
import { digestOf, matchesDigest, newSecret, verifyToken } from '../../../platform/crypto/signed-token';
import { KeyManager } from '../../../platform/crypto/key-manager';
import { affected } from '../../../platform/database/sql';
import { Connection } from '../../state/connection.entity';
import { type FlowSecrets, OAUTH_FLOW, OAuthFlow } from './oauth-flow.entity';
import { isRevoked } from './revoked-flow';
import { type Browser, cookieName, type Outcome, STATE } from '../way-back';

/** How long the hosted UI has to get its session back: one page load. */
const RESUME_SECONDS = 300;
/** So long an ended flow is remembered, so that a second answer can be told from a forged one. */
const REMEMBERED_SECONDS = 86_400;

/** A flow whose answer has come, for the first and only time. */
export interface AnsweredFlow {
  readonly uuid: string;
  readonly actor: string;
  readonly keyUuid: OAuthFlow['keyUuid'];
  readonly sessionGeneration: OAuthFlow['sessionGeneration'];
  readonly scopes: readonly string[];
  readonly state: string;
  readonly codeVerifier: string;
  /** What the UI token carried with which it began; null when a client's backend began it. */
  readonly session: object | null;
  /** Whether the browser is the one in which the hosted UI made the link. */
  readonly isOfPage: boolean;
  readonly isApart: boolean;
  readonly connection: Connection;
}

/** A flow that has ended, for the hosted UI to go on. */
export interface EndedFlow {
  readonly flow: Pick<OAuthFlow, 'connectionUuid' | 'keyUuid' | 'sessionGeneration' | 'confirmedAt'>;
  /** What the UI token carried with which it began; null when a client's backend began it. */
  readonly session: object | null;
  readonly outcome: Outcome;
}

/** Reads and writes users on their way. */
@Injectable()
export class FlowStore {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  get publicUrl(): string {
    return this.settings.publicUrl;
  }

  /** Takes the answer of a flow, once, from the browser that began it; else says why not. */
  async answer(state: string, browser: Browser): Promise<AnsweredFlow | Outcome> {
    const uuid = verifyToken(this.settings.tokenKeys, STATE, state);
    if (uuid === null) return 'AUTHORIZATION_INVALID';
    return this.em.fork().transactional(async (em) => {
      const flow = await em.findOne(OAuthFlow, uuid);
      const cookie = browser.cookie(cookieName(this.publicUrl, uuid));
      if (!flow || cookie === undefined || !matchesDigest(cookie, flow.browserDigest)) return 'AUTHORIZATION_INVALID';
      if (flow.answeredAt) return 'AUTHORIZATION_USED';
      const now = this.clock.now();
      if (flow.expiresAt <= now || (await isRevoked(em, flow))) return 'AUTHORIZATION_EXPIRED';
      // The same browser has begun anew since.
      if (!matchesDigest(state, flow.stateDigest)) return 'AUTHORIZATION_EXPIRED';
      const isFirst = await affected(
        em,
        'update oauth_flow set answered_at = $2 where uuid = $1 and answered_at is null and state_digest = $3',
        [uuid, now, digestOf(state)],
      );
      if (isFirst === 0) return 'AUTHORIZATION_USED';
      const connection = await em.findOneOrFail(Connection, flow.connectionUuid);
      const key = await this.vault.key(em, connection.uuid);
      const { codeVerifier, session, isApart = false } = this.vault.decrypt<FlowSecrets>(key, OAUTH_FLOW, flow.secrets);
      const isOfPage = flow.pageDigest != null && session !== null;
      const { actor, scopes, keyUuid, sessionGeneration } = flow;
      return {
        uuid,
        actor,
        keyUuid,
        sessionGeneration,
        scopes,
        state,
        codeVerifier: codeVerifier!,
        session,
        isOfPage,
        isApart,
        connection,
      };
    });
  }

  /**
   * Writes down how it ended. Answers the code by which the hosted UI gets a session: after a success, and otherwise for the
   * browser only that has one already (decisions 3). Null when it gets none.
   */
  async end({ uuid, isOfPage, isApart }: AnsweredFlow, outcome: Outcome): Promise<string | null> {
    const isRevoked = outcome === 'AUTHORIZATION_EXPIRED'; // what was too late was not answered at all
    const goesOn = !isApart && (outcome === 'AUTHORIZED' || (isOfPage && !isRevoked));
    const resume = goesOn ? newSecret() : null;
    await affected(
      this.em.fork(),
      'update oauth_flow set outcome = $2, resume_digest = $3, expires_at = $4 where uuid = $1',
      [uuid, outcome, resume && digestOf(resume), this.clock.in(RESUME_SECONDS)],
    );
    return resume;
  }

  /**
   * What a code of `end` stands for: good once, for five minutes, and only in the browser that made the way. Null otherwise.
   */
  async resume(code: string, browser: Browser): Promise<EndedFlow | null> {
    return this.em.fork().transactional(async (em) => {
      const flow = await this.waiting(em, code, browser);
      if (!flow) return null;
      const isFirst = await affected(
        em,
        'update oauth_flow set resume_digest = null where uuid = $1 and resume_digest is not null',
        [flow.uuid],
      );
      if (isFirst === 0) return null;
      const key = await this.vault.key(em, flow.connectionUuid);
      const { session } = this.vault.decrypt<FlowSecrets>(key, OAUTH_FLOW, flow.secrets);
      return { session, flow, outcome: flow.outcome as Outcome };
    });
  }

  /** Whose page a code of `end` leads to, without using it up. Null when it is not good, or another browser's. */
  async environmentOf(code: string, browser: Browser): Promise<string | null> {
    const em = this.em.fork();
    const flow = await this.waiting(em, code, browser);
    return flow && (await em.findOneOrFail(Connection, flow.connectionUuid)).environmentUuid;
  }

  /** The flow whose code this is, in the browser that made the way. */
  private async waiting(em: EntityManager, code: string, browser: Browser): Promise<OAuthFlow | null> {
    const flow = await em.findOne(OAuthFlow, { resumeDigest: digestOf(code), expiresAt: { $gt: this.clock.now() } });
    const cookie = flow && browser.cookie(cookieName(this.publicUrl, flow.uuid));
    return flow && cookie && matchesDigest(cookie, flow.browserDigest) ? flow : null;
  }

  /** Forgets flows that have long ended. Answers how many. */
  sweep(): Promise<number> {
    return affected(this.em.fork(), 'delete from oauth_flow where expires_at < $1', [
      this.clock.in(-REMEMBERED_SECONDS),
    ]);
  }
}
