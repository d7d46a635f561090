import { Injectable, Logger } from '@nestjs/common';
import type { FieldSpec } from '../../integrations/core/field';
import type { Integration, Session } from '../../integrations/core/integration';
import { Unreachable, unreachableCode } from '../../integrations/shared/reachability/unreachable-code';
import { isServerField, type TrustedFingerprints, ServerTrust } from '../../integrations/core/server-trust';
import { OAuthClient } from '../../integrations/shared/oauth/oauth-client';
import { openSession } from '../../integrations/core/open-session';
import { ProviderRateLimits } from '../../integrations/core/provider-rate-limits';
import {
  AuthorizationRevoked,
  ClientRefused,
  SelectionNotFound,
  UnexpectedResponse,
  InvalidCredentials,
  EndpointNotFound,
  PermissionMissing,
  RateLimited,
  SourceError,
  type UnreachableCode,
} from '../../integrations/core/source-errors';
import type { AccountInfo } from '../../integrations/core/source-document';
import type { FieldInput } from '../../integrations/core/validate-fields';
import { Clock } from '../../platform/clock/clock';
import type { Refusals } from '../../platform/openapi/error-bodies';
import { ApiError, type InvalidField, invalid, unprocessable } from '../../platform/errors/errors';
import { isAddressNotAllowed } from '../../platform/network/network';
import { untrustedServer } from './untrusted-server';

/** How a live call is refused, for `@ApiErrors`. */
export const LIVE_CALL_FAILED: Refusals = {
  422: ['CREDENTIALS_REJECTED', 'PROVIDER_UNREACHABLE', 'INTEGRATION_NOT_AVAILABLE'],
};

export interface LiveInput {
  readonly fields: FieldInput;
  readonly step2: FieldInput;
  /** Fingerprints that the user accepted before. */
  readonly pins?: TrustedFingerprints;
  /** The one that the user accepts now (`trusted_fingerprint`). */
  readonly accepted?: string;
  /** The provider's id of the account, when it is known. */
  readonly accountId?: string | null;
  /** For the sandbox. */
  readonly portal?: Session['portal'];
  /** For OAuth. */
  readonly accessToken?: Session['accessToken'];
}

/** Calls a provider while its user waits, and turns every failure into an answer that says what to do. */
@Injectable()
export class LiveCall {
  /** decisions 4: a live check takes ten seconds at the most. */
  readonly timeLimitMs: number = 10_000;
  private readonly logger = new Logger(LiveCall.name);

  constructor(
    private readonly rateLimits: ProviderRateLimits,
    private readonly client: OAuthClient,
    private readonly clock: Clock,
  ) {}

  /**
   * What every set of credentials has to pass: the login, and the second step's fields when there is one. `pins` are to be stored:
   * the accepted fingerprint of a server that is not trusted without it.
   */
  check(
    integration: Integration,
    input: LiveInput,
  ): Promise<{ account: AccountInfo; step2Fields: FieldSpec[] | null; pins: TrustedFingerprints }> {
    return this.run(integration, input, async (session) => ({
      account: await integration.check(session),
      step2Fields: (await integration.step2?.(session)) ?? null,
      pins: session.trust.confirmedFingerprints,
    }));
  }

  /** @throws ApiError 422 `CREDENTIALS_REJECTED`, `PROVIDER_UNREACHABLE`, or `VALIDATION_FAILED` naming the field */
  async run<T>(integration: Integration, input: LiveInput, call: (session: Session) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new Unreachable('The provider took too long.', 'TIMED_OUT')),
      this.timeLimitMs,
    );
    const session = openSession({
      fields: input.fields,
      step2: input.step2,
      trust: ServerTrust.of(integration, input.fields, { ...input, isInteractive: true }),
      ...(input.portal && { portal: input.portal }),
      ...(input.accessToken && { accessToken: input.accessToken }),
      apiBaseUrl: this.client.apiBaseUrl(integration),
      network: this.rateLimits.network(integration, input.accountId ?? null, 'live', limit.signal),
      signal: limit.signal,
      now: () => this.clock.now(),
    });
    try {
      const aborted = new Promise<never>((_, reject) => {
        limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error), { once: true });
      });
      return await Promise.race([call(session), aborted]);
    } catch (error) {
      if (error instanceof RateLimited && error.scope === 'provider') {
        await this.rateLimits.pause(integration.id, error.retryAfterSeconds);
      }
      throw this.answer(error, integration, input.fields);
    } finally {
      clearTimeout(timer);
      void session.close();
    }
  }

  private answer(error: unknown, integration: Integration, fields: FieldInput): ApiError {
    if (error instanceof ApiError) return error;
    if (isAddressNotAllowed(error)) return invalid(faults(hostFields(integration, fields), 'ADDRESS_NOT_ALLOWED'));
    const isRefused = error instanceof InvalidCredentials || error instanceof AuthorizationRevoked;
    if (isRefused || error instanceof PermissionMissing) {
      return unprocessable('CREDENTIALS_REJECTED', { errors: refusals(error, integration, fields) });
    }
    if (error instanceof ClientRefused) {
      this.logger.error(`A live call to ${integration.id}: ${error.message}`);
      return unprocessable('INTEGRATION_NOT_AVAILABLE'); // ours to mend, not the user's
    }
    const untrusted = untrustedServer(error);
    if (untrusted) {
      const errors = faults(hostFields(integration, fields), untrusted.code).map((fault) => ({
        ...fault,
        ...untrusted,
      }));
      return unprocessable('PROVIDER_UNREACHABLE', { errors });
    }
    const endpoint = error instanceof EndpointNotFound ? endpointFaults(error, integration, fields) : [];
    if (endpoint.length > 0) return unprocessable('PROVIDER_UNREACHABLE', { errors: endpoint });
    if (error instanceof SelectionNotFound) return invalid(goneFaults(error, integration, fields));
    const unreachable = unreachableCode(error);
    if (unreachable) {
      this.logger.log(`A live call to ${integration.id}: ${unreachable}`);
      return unprocessable('PROVIDER_UNREACHABLE', { errors: unreachableFaults(unreachable, integration, fields) });
    }
    const isUnforeseen = !(error instanceof SourceError);
    if (isUnforeseen || error instanceof UnexpectedResponse) {
      this.logger[isUnforeseen ? 'error' : 'warn'](
        error,
        `A live call to ${integration.id} failed in an unforeseen way`,
      );
    }
    return unprocessable('PROVIDER_UNREACHABLE', { errors: faults(hostFields(integration, fields), 'UNREACHABLE') });
  }
}

/** What was refused: one field, where that is certain, else every secret. */
function refusals(error: SourceError, { step1 }: Integration, fields: FieldInput): InvalidField[] {
  const named = error instanceof InvalidCredentials ? step1.filter(({ id }) => id === error.field) : [];
  if (named[0] && fields[named[0].id] === undefined) return faults(named, 'REQUIRED');
  const secrets = step1.filter((field) => field.secret && fields[field.id] !== undefined);
  const code = error instanceof PermissionMissing ? 'PERMISSION_MISSING' : 'REJECTED';
  return faults(named.length > 0 ? named : secrets, code);
}

/** The fields that say where the provider is. */
function hostFields(integration: Integration, fields: FieldInput): FieldSpec[] {
  return integration.step1.filter((field) => isServerField(field) && fields[field.id] !== undefined);
}

/** What is wrong behind a port, where one was given. */
const PORT_FAULTS: ReadonlySet<UnreachableCode> = new Set(['CONNECTION_REFUSED', 'WRONG_PROTOCOL']);

/** Which field leads to nothing: the choice of encryption, the port, or where the server is; only what the user filled in. */
function unreachableFaults(code: UnreachableCode, integration: Integration, fields: FieldInput): InvalidField[] {
  const filled = (id: string) => integration.step1.filter((field) => field.id === id && fields[id] !== undefined);
  const causing = code.startsWith('TLS_') ? filled('security') : PORT_FAULTS.has(code) ? filled('port') : [];
  const server = hostFields(integration, fields);
  return faults(server.length > 0 && causing.length > 0 ? causing : server, code);
}

/** The address at which somebody answers, but not with what is wanted. */
function endpointFaults(error: EndpointNotFound, integration: Integration, fields: FieldInput): InvalidField[] {
  const isAddress = ({ id }: FieldSpec) => id === error.field;
  return faults(hostFields(integration, fields).filter(isAddress), 'ENDPOINT_NOT_FOUND');
}

/** Names the field that something is wrong with, where the user has filled one in. */
function goneFaults(error: SelectionNotFound, integration: Integration, fields: FieldInput): InvalidField[] {
  const isNamed = ({ id }: FieldSpec) =>
    error instanceof EndpointNotFound && id === error.field && fields[id] !== undefined;
  const named = faults(integration.step1.filter(isNamed), 'NOTHING_THERE');
  return named.length > 0 ? named : [{ field: 'fields', code: 'GONE_AT_PROVIDER' }];
}

function faults(fields: readonly FieldSpec[], code: string): InvalidField[] {
  return fields.map((field) => ({ field: `fields.${field.id}`, code, params: { label: field.label } }));
}
