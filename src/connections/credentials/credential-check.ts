import { Injectable, Logger } from '@nestjs/common';
import type { FieldSpec } from '../../integrations/core/field';
import type { Integration, Session } from '../../integrations/core/integration';
import { Unreachable } from '../../integrations/shared/reachability/unreachable-code';
import { type TrustedFingerprints, ServerTrust } from '../../integrations/core/server-trust';
import { OAuthClient } from '../../integrations/shared/oauth/oauth-client';
import { openSession } from '../../integrations/core/session/open-session';
import { ProviderRateLimits } from '../../integrations/core/provider-rate-limits';
import { RateLimited } from '../../integrations/core/source-errors';
import type { AccountInfo } from '../../integrations/core/source-document';
import type { FieldInput } from '../../integrations/core/validate-fields';
import { Clock } from '../../platform/clock/clock';
import { abortable, withTimeout } from '../../platform/concurrency/cancellation';
import { KmsUnavailable } from '../../platform/availability/kms-unavailable';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { toApiError } from './provider-error';

/** Errors of {@link CredentialCheck}, for `@ApiErrors`. */
export const CREDENTIAL_CHECK_ERRORS: readonly ErrorCode[] = [
  'CREDENTIALS_REJECTED',
  'PROVIDER_UNREACHABLE',
  'INTEGRATION_NOT_AVAILABLE',
];

/** The result of a live check that a connection stores. */
export interface CheckResult {
  readonly account: AccountInfo;
  readonly trustedFingerprints: TrustedFingerprints;
}

export interface CredentialCheckInput {
  readonly fields: FieldInput;
  readonly step2: FieldInput;
  /** Fingerprints that the user has already accepted. */
  readonly trustedFingerprints?: TrustedFingerprints;
  /** The fingerprint that the user accepts with this request (`trusted_fingerprint`). */
  readonly accepted?: string;
  /** The provider's account id, if known. */
  readonly accountId?: string | null;
  /** Only for the sandbox. */
  readonly portal?: Session['portal'];
  /** Only for OAuth. */
  readonly accessToken?: Session['accessToken'];
}

/** Calls a provider while the user waits, to check credentials or load options, and translates failures into API errors. */
@Injectable()
export class CredentialCheck {
  /** decisions 4: a live check takes at most ten seconds. */
  readonly timeLimitMs: number = 10_000;
  private readonly logger = new Logger(CredentialCheck.name);

  constructor(
    private readonly rateLimits: ProviderRateLimits,
    private readonly client: OAuthClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Logs in and loads the fields of the second step, if there is one. The caller stores `trustedFingerprints`: the fingerprints that the
   * user accepted for servers that are not trusted otherwise.
   */
  check(
    integration: Integration,
    input: CredentialCheckInput,
  ): Promise<CheckResult & { readonly step2Fields: FieldSpec[] | null }> {
    return this.withSession(integration, input, async (session) => ({
      account: await integration.check(session),
      step2Fields: (await integration.step2?.(session)) ?? null,
      trustedFingerprints: session.trust.confirmedFingerprints,
    }));
  }

  /** @throws ApiError 422 `CREDENTIALS_REJECTED`, `PROVIDER_UNREACHABLE`, or `VALIDATION_FAILED` naming the field */
  async withSession<T>(
    integration: Integration,
    input: CredentialCheckInput,
    call: (session: Session) => Promise<T>,
  ): Promise<T> {
    const timedOut = () => new Unreachable('The provider took too long.', 'TIMED_OUT');
    try {
      return await withTimeout(this.timeLimitMs, timedOut, async (signal) => {
        const session = this.sessionOf(integration, input, signal);
        try {
          return await abortable(call(session), signal);
        } finally {
          void session.close();
        }
      });
    } catch (error) {
      if (error instanceof RateLimited && error.scope === 'provider') {
        await this.rateLimits.pause(integration.id, error.retryAfterSeconds);
      }
      if (error instanceof KmsUnavailable) throw error; // the tokens could not be decrypted
      throw toApiError(error, integration, input.fields, this.logger);
    }
  }

  private sessionOf(integration: Integration, input: CredentialCheckInput, signal: AbortSignal) {
    return openSession({
      fields: input.fields,
      step2: input.step2,
      trust: ServerTrust.of(integration, input.fields, { ...input, isInteractive: true }),
      ...(input.portal && { portal: input.portal }),
      ...(input.accessToken && { accessToken: input.accessToken }),
      apiBaseUrl: this.client.apiBaseUrl(integration),
      network: this.rateLimits.network(integration, input.accountId ?? null, 'live', signal),
      signal,
      now: () => this.clock.now(),
    });
  }
}
