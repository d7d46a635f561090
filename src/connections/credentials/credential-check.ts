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
import { abortable, withTimeout } from '../../platform/concurrency/cancellation';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { ApiError, type InvalidField, invalid, unprocessable } from '../../platform/errors/errors';
import { isAddressNotAllowed } from '../../platform/network/network';
import { untrustedServerError } from './untrusted-server-error';

/** Errors of {@link CredentialCheck}, for `@ApiErrors`. */
export const CREDENTIAL_CHECK_ERRORS: readonly ErrorCode[] = [
  'CREDENTIALS_REJECTED',
  'PROVIDER_UNREACHABLE',
  'INTEGRATION_NOT_AVAILABLE',
];

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
  ): Promise<{ account: AccountInfo; step2Fields: FieldSpec[] | null; trustedFingerprints: TrustedFingerprints }> {
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
      throw this.toApiError(error, integration, input.fields);
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

  private toApiError(error: unknown, integration: Integration, fields: FieldInput): ApiError {
    if (error instanceof ApiError) return error;
    if (isAddressNotAllowed(error))
      return invalid(fieldErrors(filledServerFields(integration, fields), 'ADDRESS_NOT_ALLOWED'));
    const isRefused = error instanceof InvalidCredentials || error instanceof AuthorizationRevoked;
    if (isRefused || error instanceof PermissionMissing) {
      return unprocessable('CREDENTIALS_REJECTED', { errors: rejectedFields(error, integration, fields) });
    }
    if (error instanceof ClientRefused) {
      this.logger.error(`Credential check at ${integration.id}: ${error.message}`);
      return unprocessable('INTEGRATION_NOT_AVAILABLE'); // the operator has to fix it, not the user
    }
    const untrusted = untrustedServerError(error);
    if (untrusted) {
      const errors = fieldErrors(filledServerFields(integration, fields), untrusted.code).map((error) => ({
        ...error,
        ...untrusted,
      }));
      return unprocessable('PROVIDER_UNREACHABLE', { errors });
    }
    const endpoint = error instanceof EndpointNotFound ? endpointErrors(error, integration, fields) : [];
    if (endpoint.length > 0) return unprocessable('PROVIDER_UNREACHABLE', { errors: endpoint });
    if (error instanceof SelectionNotFound) return invalid(goneErrors(error, integration, fields));
    const unreachable = unreachableCode(error);
    if (unreachable) {
      this.logger.log(`Credential check at ${integration.id}: ${unreachable}`);
      return unprocessable('PROVIDER_UNREACHABLE', { errors: unreachableErrors(unreachable, integration, fields) });
    }
    const isUnexpected = !(error instanceof SourceError);
    if (isUnexpected || error instanceof UnexpectedResponse) {
      this.logger[isUnexpected ? 'error' : 'warn'](error, `Credential check at ${integration.id} failed unexpectedly`);
    }
    return unprocessable('PROVIDER_UNREACHABLE', {
      errors: fieldErrors(filledServerFields(integration, fields), 'UNREACHABLE'),
    });
  }
}

/** The rejected fields: a single one if it is certain, otherwise every secret. */
function rejectedFields(error: SourceError, { step1 }: Integration, fields: FieldInput): InvalidField[] {
  const named = error instanceof InvalidCredentials ? step1.filter(({ id }) => id === error.field) : [];
  if (named[0] && fields[named[0].id] === undefined) return fieldErrors(named, 'REQUIRED');
  const secrets = step1.filter((field) => field.secret && fields[field.id] !== undefined);
  const code = error instanceof PermissionMissing ? 'PERMISSION_MISSING' : 'REJECTED';
  return fieldErrors(named.length > 0 ? named : secrets, code);
}

/** The filled-in fields that contain the provider's address. */
function filledServerFields(integration: Integration, fields: FieldInput): FieldSpec[] {
  return integration.step1.filter((field) => isServerField(field) && fields[field.id] !== undefined);
}

/** Failures that a wrong port causes. */
const PORT_ERRORS: ReadonlySet<UnreachableCode> = new Set(['CONNECTION_REFUSED', 'WRONG_PROTOCOL']);

/** The filled-in fields that may cause the failure: the encryption, the port, or the server's address. */
function unreachableErrors(code: UnreachableCode, integration: Integration, fields: FieldInput): InvalidField[] {
  const filled = (id: string) => integration.step1.filter((field) => field.id === id && fields[id] !== undefined);
  const causing = code.startsWith('TLS_') ? filled('security') : PORT_ERRORS.has(code) ? filled('port') : [];
  const server = filledServerFields(integration, fields);
  return fieldErrors(server.length > 0 && causing.length > 0 ? causing : server, code);
}

/** The address fields for which a server responds, but not at the requested path or bucket. */
function endpointErrors(error: EndpointNotFound, integration: Integration, fields: FieldInput): InvalidField[] {
  const isAddress = ({ id }: FieldSpec) => id === error.field;
  return fieldErrors(filledServerFields(integration, fields).filter(isAddress), 'ENDPOINT_NOT_FOUND');
}

/** The filled-in field whose value no longer exists at the provider, otherwise `fields` as a whole. */
function goneErrors(error: SelectionNotFound, integration: Integration, fields: FieldInput): InvalidField[] {
  const isNamed = ({ id }: FieldSpec) =>
    error instanceof EndpointNotFound && id === error.field && fields[id] !== undefined;
  const named = fieldErrors(integration.step1.filter(isNamed), 'NOTHING_THERE');
  return named.length > 0 ? named : [{ field: 'fields', code: 'GONE_AT_PROVIDER' }];
}

function fieldErrors(fields: readonly FieldSpec[], code: string): InvalidField[] {
  return fields.map((field) => ({ field: `fields.${field.id}`, code, params: { label: field.label } }));
}
