import type { Logger } from '@nestjs/common';
import { isCredential } from '../../integrations/core/document-passwords';
import type { FieldSpec } from '../../integrations/core/field';
import type { Integration } from '../../integrations/core/integration';
import { type Reason, reasonCode, type ReasonCode } from '../../integrations/core/reason';
import { isServerField } from '../../integrations/core/server-trust';
import {
  AuthorizationRevoked,
  ClientRefused,
  SelectionNotFound,
  UnexpectedResponse,
  InvalidCredentials,
  EndpointNotFound,
  PermissionMissing,
  SourceError,
} from '../../integrations/core/source-errors';
import type { FieldInput } from '../../integrations/core/validate-fields';
import { unreachableReason, type UnreachableReason } from '../../integrations/shared/reachability/unreachable-code';
import { ApiError, type InvalidField, invalid, unprocessable } from '../../platform/errors/errors';
import { isAddressNotAllowed } from '../../platform/network/network';
import { untrustedServerError } from './untrusted-server-error';

/** The API's error for a failed call of the provider, of rejected credentials with their `cause`; what concerns operators is logged. */
export function toApiError(error: unknown, integration: Integration, fields: FieldInput, logger: Logger): ApiError {
  if (error instanceof ApiError) return error;
  if (isAddressNotAllowed(error))
    return invalid(fieldErrors(filledServerFields(integration, fields), 'ADDRESS_NOT_ALLOWED'));
  const isRefused = error instanceof InvalidCredentials || error instanceof AuthorizationRevoked;
  if (isRefused || error instanceof PermissionMissing) {
    return unprocessable('CREDENTIALS_REJECTED', { errors: rejectedFields(error, integration, fields), cause: error });
  }
  if (error instanceof ClientRefused) {
    logger.error({ integration: integration.id, error: error.message }, 'The client of an integration is refused');
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
  const unreachable = unreachableReason(error);
  if (unreachable) {
    logger.log({ integration: integration.id, reason: unreachable }, 'A source is unreachable');
    return unprocessable('PROVIDER_UNREACHABLE', { errors: unreachableErrors(unreachable, integration, fields) });
  }
  const isUnexpected = !(error instanceof SourceError);
  if (isUnexpected || error instanceof UnexpectedResponse) {
    const logged = { err: error, integration: integration.id };
    logger[isUnexpected ? 'error' : 'warn'](logged, 'A credential check failed unexpectedly');
  }
  const sentence = error instanceof SourceError ? UNREACHABLE_SENTENCES[error.reason] : undefined;
  return unprocessable('PROVIDER_UNREACHABLE', {
    errors: fieldErrors(filledServerFields(integration, fields), 'UNREACHABLE', sentence),
  });
}

/** Messages of `UNREACHABLE` for a provider that responds, but not now. */
const UNREACHABLE_SENTENCES: Partial<Record<Reason, string>> = {
  RATE_LIMITED: 'UNREACHABLE_RATE_LIMITED',
  RATE_LIMITED_CONNECTIONS: 'UNREACHABLE_CONNECTIONS',
};

/** Messages of `REJECTED` for credentials that may be right, but are not accepted for this kind of access. */
const REJECTED_SENTENCES: Partial<Record<Reason, string>> = {
  LOGIN_REJECTED_APP_PASSWORD: 'REJECTED_APP_PASSWORD',
  LOGIN_REJECTED_ACCESS_DISABLED: 'REJECTED_ACCESS_DISABLED',
  LOGIN_REJECTED_NO_PASSWORDS: 'REJECTED_NO_PASSWORDS',
  LOGIN_REJECTED_NO_ACCESS: 'REJECTED_NO_ACCESS',
};

/** The rejected fields: a single one if it is certain, otherwise every secret. */
function rejectedFields(error: SourceError, { step1 }: Integration, fields: FieldInput): InvalidField[] {
  const named = error instanceof InvalidCredentials ? step1.filter(({ id }) => id === error.field) : [];
  if (named[0] && fields[named[0].id] === undefined) return fieldErrors(named, 'REQUIRED');
  const secrets = step1.filter((field) => isCredential(field) && fields[field.id] !== undefined);
  const code = error instanceof PermissionMissing ? 'PERMISSION_MISSING' : 'REJECTED';
  return fieldErrors(named.length > 0 ? named : secrets, code, REJECTED_SENTENCES[error.reason]);
}

/** The filled-in fields that contain the provider's address. */
function filledServerFields(integration: Integration, fields: FieldInput): FieldSpec[] {
  return integration.step1.filter((field) => isServerField(field) && fields[field.id] !== undefined);
}

/** Failures that a wrong port causes. */
const PORT_ERRORS: ReadonlySet<ReasonCode> = new Set(['CONNECTION_REFUSED', 'WRONG_PROTOCOL']);

/** The filled-in fields that may cause the failure: the encryption, the port, or the server's address. */
function unreachableErrors(reason: UnreachableReason, integration: Integration, fields: FieldInput): InvalidField[] {
  const code = reasonCode(reason);
  const filled = (id: string) => integration.step1.filter((field) => field.id === id && fields[id] !== undefined);
  const causing = code.startsWith('TLS_') ? filled('security') : PORT_ERRORS.has(code) ? filled('port') : [];
  const server = filledServerFields(integration, fields);
  return fieldErrors(server.length > 0 && causing.length > 0 ? causing : server, code, reason);
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

function fieldErrors(fields: readonly FieldSpec[], code: string, sentence = code): InvalidField[] {
  return fields.map((field) => ({ field: `fields.${field.id}`, code, sentence, params: { label: field.label } }));
}
