import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { Clock } from '../../../platform/clock/clock';
import { digestOf, newSecret } from '../../../platform/crypto/signed-token';
import { affected, jsonb, sql } from '../../../platform/database/sql';

/** The only client: this service. */
export const CLIENT_ID = 'docfetch';

const CODE_SECONDS = 60;
const ACCESS_SECONDS = 3600;

/** A user's consent on the consent page. */
export interface Agreement {
  readonly connection: { readonly uuid: string; readonly environmentUuid: string };
  readonly account: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  /** PKCE, S256 (RFC 7636). */
  readonly codeChallenge: string;
}

interface CodeRow {
  readonly uuid: string;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly is_expired: boolean;
  readonly was_used: boolean;
}

/**
 * The authorization server of `sandbox_oauth` (RFC 6749, 7009, 7636). The OAuth client calls it within the process; it has no
 * network address, so only this service can send it a code or token. Codes and tokens are stored as digests only.
 */
@Injectable()
export class SandboxAuthorizationServer {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Issues a code for a consent: valid once, for one minute, with the right verifier and redirect address. */
  async issueCode({ connection, account, scopes, redirectUri, codeChallenge }: Agreement): Promise<string> {
    const code = newSecret();
    await affected(
      this.em.fork(),
      'delete from sandbox_consent where connection_uuid = $1 and code_used_at is null and code_expires_at < $2',
      [connection.uuid, this.clock.now()],
    );
    // The first consent is affected by the scenario of the fields; later ones renew it.
    await sql(
      this.em.fork(),
      `insert into sandbox_consent (uuid, environment_uuid, connection_uuid, account, scopes, redirect_uri, code_challenge, code_digest,
         code_expires_at, is_affected, created_at)
       values ($1, $10, $2, $3, $4::jsonb, $5, $6, $7, $8,
         not exists (select 1 from sandbox_consent where connection_uuid = $2 and code_used_at is not null), $9)`,
      [
        uuid(),
        connection.uuid,
        account,
        jsonb(scopes),
        redirectUri,
        codeChallenge,
        digestOf(code),
        this.clock.in(CODE_SECONDS),
        this.clock.now(),
        connection.environmentUuid,
      ],
    );
    return code;
  }

  /** Handles a call of the token endpoint (`/token`) or the revocation endpoint (`/revoke`). */
  async answer(url: string, body: URLSearchParams): Promise<Response> {
    if (body.get('client_id') !== CLIENT_ID) return errorResponse('invalid_client');
    if (new URL(url).pathname === '/revoke') return this.revoke(body.get('token') ?? '');
    switch (body.get('grant_type')) {
      case 'authorization_code':
        return this.exchange(body);
      case 'refresh_token':
        return this.refresh(body.get('refresh_token') ?? '');
      default:
        return errorResponse('unsupported_grant_type');
    }
  }

  private async exchange(body: URLSearchParams): Promise<Response> {
    return this.em.fork().transactional(async (em) => {
      const [code] = await sql<CodeRow>(
        em,
        `select uuid, redirect_uri, code_challenge, code_used_at is not null as was_used, code_expires_at <= $2 as is_expired
         from sandbox_consent where code_digest = $1 for update`,
        [digestOf(body.get('code') ?? ''), this.clock.now()],
      );
      if (!code) return errorResponse('invalid_grant');
      if (code.was_used) {
        // A reused code was leaked: its tokens are revoked (RFC 6749 section 4.1.2).
        await affected(em, 'update sandbox_consent set revoked_at = $2 where uuid = $1', [code.uuid, this.clock.now()]);
        return errorResponse('invalid_grant');
      }
      // A failed attempt uses up the code, too, to prevent guessing.
      await affected(em, 'update sandbox_consent set code_used_at = $2 where uuid = $1', [code.uuid, this.clock.now()]);
      const challenge = hash('sha256', body.get('code_verifier') ?? '', 'base64url');
      const isGood =
        !code.is_expired && challenge === code.code_challenge && body.get('redirect_uri') === code.redirect_uri;
      return isGood ? this.tokens(em, code.uuid) : errorResponse('invalid_grant');
    });
  }

  /** Refresh tokens rotate. */
  private async refresh(token: string): Promise<Response> {
    return this.em.fork().transactional(async (em) => {
      const [consent] = await sql<{ uuid: string }>(
        em,
        'select uuid from sandbox_consent where refresh_digest = $1 and revoked_at is null for update',
        [digestOf(token)],
      );
      return consent ? this.tokens(em, consent.uuid) : errorResponse('invalid_grant');
    });
  }

  /** RFC 7009: an unknown token counts as revoked. */
  private async revoke(token: string): Promise<Response> {
    await affected(
      this.em.fork(),
      'update sandbox_consent set revoked_at = $2 where (refresh_digest = $1 or access_digest = $1) and revoked_at is null',
      [digestOf(token), this.clock.now()],
    );
    return new Response(null, { status: 200 });
  }

  private async tokens(em: EntityManager, consent: string): Promise<Response> {
    const [access, refresh] = [newSecret(), newSecret()];
    const [row] = await sql<{ scopes: string[] }>(
      em,
      `update sandbox_consent set access_digest = $2, refresh_digest = $3, access_expires_at = $4 where uuid = $1
       returning scopes`,
      [consent, digestOf(access), digestOf(refresh), this.clock.in(ACCESS_SECONDS)],
    );
    return Response.json({
      access_token: access,
      token_type: 'bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: refresh,
      scope: row!.scopes.join(' '),
    });
  }
}

const errorResponse = (error: string): Response => Response.json({ error }, { status: 400 });
