import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { findIntegration } from '../../../integrations/integration-registry';
import { isExact, reasonCode, type Reason, type ReasonCode } from '../../../integrations/core/reason';
import { translate } from '../../../platform/errors/translate';
import { apiEnum } from '../../../platform/openapi/api-enum';
import type { ConnectionRecord } from '../connection-record';
import { reasonOf, type StateFields } from '../connection-state';

export const REASON_CODE = apiEnum<ReasonCode>('ConnectionReasonCode', 'Why a connection needs attention.', {
  LOGIN_REJECTED: 'the provider rejected user name or password; the user must enter them again',
  AUTHORIZATION_PENDING: 'the authorization at the provider is missing; the user must authorize',
  CONSENT_REVOKED: 'the authorization was revoked at the provider; the user must authorize again',
  CONSENT_EXPIRED: 'the authorization has expired; the user must authorize again',
  SCOPE_MISSING: 'the authorization, or the key, lacks a required permission; the user must grant it',
  FOLDER_NOT_FOUND: 'a selected folder no longer exists; the user must change the selection',
  HOST_KEY_UNKNOWN:
    'the host key of the server has not been accepted yet (a migrated connection); the user must accept it by saving the first step',
  ENDPOINT_NOT_FOUND:
    'the server responds, but the address or bucket of the first step does not exist; the user must correct it',
  HOST_KEY_CHANGED:
    'the host key of the server differs from the accepted one; the user must accept it by saving the first step again',
  SETUP_INCOMPLETE: 'the setup is not complete; the user must complete it',
  HOST_NOT_FOUND: 'the host name of the server cannot be resolved; temporary, or the user must correct it',
  CONNECTION_REFUSED: 'no server listens on the port; temporary, unless the port is wrong',
  TIMED_OUT: 'the server does not respond in time; temporary',
  CERTIFICATE_INVALID:
    'the certificate of the server has expired, is for another name or was issued by an unknown authority, and the user has not accepted it; the operator of the server must replace it, or the user accepts it by saving the first step if the user typed the server',
  TLS_REQUIRED: 'the server requires encryption; the user must select it',
  TLS_NOT_SUPPORTED: 'the server does not offer the selected encryption; the user must select another one',
  WRONG_PROTOCOL: 'the server speaks another protocol; the user must correct address or port',
  PROVIDER_DOWN: 'the provider cannot be reached; temporary',
  RATE_LIMITED: 'the provider limits the rate of requests; temporary',
  PROVIDER_CHANGED: 'the provider sends unexpected responses; we must fix it',
});

export type Action = 'UPDATE_CREDENTIALS' | 'AUTHORIZE' | 'COMPLETE_SETUP' | 'WAIT';

const ACTION = apiEnum<Action>('ConnectionAction', 'The action that resolves the reason.', {
  UPDATE_CREDENTIALS: 'enter the credentials again: `PUT /v1/connections/{uuid}`, or the hosted UI',
  AUTHORIZE: 'authorize again at the provider, in the hosted UI',
  COMPLETE_SETUP: 'complete the second step: `PUT /v1/connections/{uuid}/step2`, or the hosted UI',
  WAIT: 'none: the failure is temporary, or we must fix it',
});

const ACTION_OF: Readonly<Record<ReasonCode, Action>> = {
  LOGIN_REJECTED: 'UPDATE_CREDENTIALS',
  AUTHORIZATION_PENDING: 'AUTHORIZE',
  CONSENT_REVOKED: 'AUTHORIZE',
  CONSENT_EXPIRED: 'AUTHORIZE',
  SCOPE_MISSING: 'AUTHORIZE',
  FOLDER_NOT_FOUND: 'COMPLETE_SETUP',
  HOST_KEY_UNKNOWN: 'UPDATE_CREDENTIALS',
  ENDPOINT_NOT_FOUND: 'UPDATE_CREDENTIALS',
  HOST_KEY_CHANGED: 'UPDATE_CREDENTIALS',
  SETUP_INCOMPLETE: 'COMPLETE_SETUP',
  HOST_NOT_FOUND: 'UPDATE_CREDENTIALS',
  CONNECTION_REFUSED: 'WAIT',
  TIMED_OUT: 'WAIT',
  CERTIFICATE_INVALID: 'UPDATE_CREDENTIALS',
  TLS_REQUIRED: 'UPDATE_CREDENTIALS',
  TLS_NOT_SUPPORTED: 'UPDATE_CREDENTIALS',
  WRONG_PROTOCOL: 'UPDATE_CREDENTIALS',
  PROVIDER_DOWN: 'WAIT',
  RATE_LIMITED: 'WAIT',
  PROVIDER_CHANGED: 'WAIT',
};

/** Exact reasons that another action resolves than their code: the user can neither accept nor change what is not secure. */
const ACTION_OF_EXACT: Readonly<Partial<Record<Reason, Action>>> = {
  PERMISSION_MISSING: 'UPDATE_CREDENTIALS',
  CERTIFICATE_INVALID_WEAK: 'WAIT',
  TLS_NOT_SUPPORTED_OUTDATED: 'WAIT',
};

@ApiSchema({ name: 'ConnectionReason', description: 'Why a connection needs attention.' })
export class ReasonView {
  @ApiProperty({ ...REASON_CODE, description: 'For your program logic.', example: 'LOGIN_REJECTED' })
  code: ReasonCode;

  @ApiProperty({
    description: 'In the language of the request; safe to show to the user.',
    example: 'The provider rejected user name or password.',
  })
  message: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Since when the reason exists.',
    example: '2026-11-20T08:30:00.000Z',
  })
  since: string;

  @ApiProperty({
    ...ACTION,
    description: 'The action that resolves it.',
    example: 'UPDATE_CREDENTIALS',
  })
  action: Action;
}

type ReasonFacts = StateFields & Pick<ConnectionRecord, 'integrationId' | 'settings'>;

/**
 * The action that resolves the reason and is possible for this connection: authorizing requires an integration with OAuth,
 * entering an address or credentials one without it. A certificate can be accepted only for a server that the user typed.
 */
function actionFor(reason: Reason, { integrationId, settings }: ReasonFacts): Action {
  const code = reasonCode(reason);
  const action = ACTION_OF_EXACT[reason] ?? ACTION_OF[code];
  const integration = findIntegration(integrationId);
  if (!integration) return action;
  if (code === 'CERTIFICATE_INVALID' && !integration.typedServer?.address(settings)) return 'WAIT';
  if (action === 'AUTHORIZE' && !integration.oauth) return 'UPDATE_CREDENTIALS';
  if (action === 'UPDATE_CREDENTIALS' && integration.oauth) {
    const isAboutAccess = code === 'LOGIN_REJECTED' || reason === 'PERMISSION_MISSING';
    return isAboutAccess ? 'AUTHORIZE' : 'WAIT';
  }
  return action;
}

/** The reason in the caller's language; null if the connection needs no attention. */
export function reasonView(connection: ReasonFacts): ReasonView | null {
  const reason = reasonOf(connection);
  if (!reason) return null;
  const action = actionFor(reason.code, connection);
  // Without OAuth, the user has nothing to allow again: the sign-in details lack the permission.
  const isOfCredentials = reason.code === 'SCOPE_MISSING' && action === 'UPDATE_CREDENTIALS';
  const shown = isOfCredentials ? 'PERMISSION_MISSING' : reason.code;
  return {
    code: reasonCode(reason.code),
    message: translate(`${isExact(shown) ? 'exact-reasons' : 'reasons'}.${shown}`),
    since: reason.since.toISOString(),
    action,
  };
}
