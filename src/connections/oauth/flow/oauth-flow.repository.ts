import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Settings } from '../../../platform/config/settings';
import { digestOf, matchesDigest, newSecret, verifyToken } from '../../../platform/crypto/signed-token';
import { KeyManager } from '../../../platform/crypto/key-manager';
import { serveRequest } from '../../../platform/database/served-environment';
import { affected } from '../../../platform/database/sql';
import { Recurring } from '../../../platform/jobs/recurring-work';
import { Connection } from '../../state/connection.entity';
import { type FlowSecrets, OAUTH_FLOW, OAuthFlow } from './oauth-flow.entity';
import { isFlowRevoked } from './is-flow-revoked';
import { readFlowKey } from './read-flow-key';
import { type RequestCookies, flowCookieName } from '../oauth-cookies';
import { type AuthorizationOutcome, STATE_PURPOSE } from '../oauth-redirect';

/** Validity of a resume code; the hosted UI uses it within one page load. */
const RESUME_SECONDS = 300;
/** How long a completed flow is kept, to distinguish a repeated callback from a forged one. */
const KEEP_COMPLETED_SECONDS = 86_400;

/** A flow whose callback has been consumed. */
export interface ConsumedFlow {
  readonly uuid: string;
  readonly actor: string;
  readonly keyUuid: OAuthFlow['keyUuid'];
  readonly sessionGeneration: OAuthFlow['sessionGeneration'];
  readonly scopes: readonly string[];
  readonly state: string;
  readonly codeVerifier: string;
  /** Claims of the UI token that started the flow; null if a client's backend started it. */
  readonly session: object | null;
  /** Whether the flow was started in the hosted UI in the same browser. */
  readonly startedInUi: boolean;
  readonly isPopup: boolean;
  readonly connection: Connection;
}

/** A completed flow, from which the hosted UI resumes. */
export interface CompletedFlow {
  readonly flow: Pick<OAuthFlow, 'actor' | 'connectionUuid' | 'keyUuid' | 'sessionGeneration' | 'confirmedAt'>;
  /** Claims of the UI token that started the flow; null if a client's backend started it. */
  readonly session: object | null;
  readonly outcome: AuthorizationOutcome;
}

/** Reads and writes authorization flows. */
@Injectable()
export class OAuthFlowRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  get publicUrl(): string {
    return this.settings.publicUrl;
  }

  /** Consumes the `state` of a callback, once and only from the browser that started the flow. Returns the outcome otherwise. */
  async consume(state: string, cookies: RequestCookies): Promise<ConsumedFlow | AuthorizationOutcome> {
    const uuid = verifyToken(this.settings.tokenKeys, STATE_PURPOSE, state);
    if (uuid === null) return 'AUTHORIZATION_INVALID';
    const dataKey = await readFlowKey(this.em.fork(), this.keyManager, { uuid });
    return this.em.fork().transactional(async (em) => {
      const flow = await em.findOne(OAuthFlow, uuid);
      const cookie = cookies.get(flowCookieName(this.publicUrl, uuid));
      if (!flow || !dataKey || cookie === undefined || !matchesDigest(cookie, flow.browserDigest))
        return 'AUTHORIZATION_INVALID';
      await serveRequest(em, flow.environmentUuid);
      if (flow.callbackAt) return 'AUTHORIZATION_USED';
      const now = this.clock.now();
      if (flow.expiresAt <= now || (await isFlowRevoked(em, flow))) return 'AUTHORIZATION_EXPIRED';
      // The same browser has been redirected to the provider again since.
      if (!matchesDigest(state, flow.stateDigest)) return 'AUTHORIZATION_EXPIRED';
      const isFirst = await affected(
        em,
        'update oauth_flow set callback_at = $2 where uuid = $1 and callback_at is null and state_digest = $3',
        [uuid, now, digestOf(state)],
      );
      if (isFirst === 0) return 'AUTHORIZATION_USED';
      const connection = await em.findOneOrFail(Connection, flow.connectionUuid);
      const {
        codeVerifier,
        session,
        isApart: isPopup = false,
      } = this.keyManager.decrypt<FlowSecrets>(dataKey, OAUTH_FLOW, flow.secrets);
      const startedInUi = flow.pageDigest != null && session !== null;
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
        startedInUi,
        isPopup,
        connection,
      };
    });
  }

  /**
   * Stores the outcome. Returns the code with which the hosted UI resumes a session: after a success, and otherwise only in
   * a browser that already has one (decisions 3). Null if there is no session to resume.
   */
  async complete({ uuid, startedInUi, isPopup }: ConsumedFlow, outcome: AuthorizationOutcome): Promise<string | null> {
    const isRevoked = outcome === 'AUTHORIZATION_EXPIRED'; // an expired flow is not consumed, so this one was revoked
    const canResume = !isPopup && (outcome === 'AUTHORIZED' || (startedInUi && !isRevoked));
    const resumeCode = canResume ? newSecret() : null;
    await affected(
      this.em.fork(),
      'update oauth_flow set outcome = $2, resume_digest = $3, expires_at = $4 where uuid = $1',
      [uuid, outcome, resumeCode && digestOf(resumeCode), this.clock.in(RESUME_SECONDS)],
    );
    return resumeCode;
  }

  /** Consumes a resume code: valid once, for five minutes, and only in the browser of the flow. Null otherwise. */
  async consumeResumeCode(code: string, cookies: RequestCookies): Promise<CompletedFlow | null> {
    const dataKey = await readFlowKey(this.em.fork(), this.keyManager, { resumeDigest: digestOf(code) });
    return this.em.fork().transactional(async (em) => {
      const flow = await this.findByResumeCode(em, code, cookies);
      if (!flow || !dataKey) return null;
      await serveRequest(em, flow.environmentUuid);
      const isFirst = await affected(
        em,
        'update oauth_flow set resume_digest = null where uuid = $1 and resume_digest is not null',
        [flow.uuid],
      );
      if (isFirst === 0) return null;
      const { session } = this.keyManager.decrypt<FlowSecrets>(dataKey, OAUTH_FLOW, flow.secrets);
      return { session, flow, outcome: flow.outcome as AuthorizationOutcome };
    });
  }

  /** The environment of a resume code, without consuming it. Null if it is invalid or belongs to another browser. */
  async environmentOf(code: string, cookies: RequestCookies): Promise<string | null> {
    const em = this.em.fork();
    const flow = await this.findByResumeCode(em, code, cookies);
    return flow && (await em.findOneOrFail(Connection, flow.connectionUuid)).environmentUuid;
  }

  /** The flow of a resume code, if the browser has its cookie. */
  private async findByResumeCode(em: EntityManager, code: string, cookies: RequestCookies): Promise<OAuthFlow | null> {
    const flow = await em.findOne(OAuthFlow, { resumeDigest: digestOf(code), expiresAt: { $gt: this.clock.now() } });
    const cookie = flow && cookies.get(flowCookieName(this.publicUrl, flow.uuid));
    return flow && cookie && matchesDigest(cookie, flow.browserDigest) ? flow : null;
  }

  /** Deletes flows `KEEP_COMPLETED_SECONDS` after their expiry. Returns their number. */
  @Recurring({ everyMs: 600_000, failure: 'Old authorization flows could not be removed' })
  deleteExpired(): Promise<number> {
    return affected(this.em.fork(), 'delete from oauth_flow where expires_at < $1', [
      this.clock.in(-KEEP_COMPLETED_SECONDS),
    ]);
  }
}
