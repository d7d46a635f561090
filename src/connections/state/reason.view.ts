import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { INTEGRATIONS } from '../../integrations/integration-registry';
import { reasonCode, type Reason, type ReasonCode } from '../../integrations/core/source-errors';
import { translate } from '../../platform/errors/translate';
import { apiEnum } from '../../platform/openapi/api-enum';
import { type ConnectionFacts, reasonOf, type StateFacts } from './connection-facts';

export const REASON_CODE = apiEnum<ReasonCode>('ConnectionReasonCode', 'Why a connection is not as it should be.', {
  LOGIN_REJECTED: 'the provider refused user name or password; for the user to mend',
  AUTHORIZATION_PENDING: 'the authorisation at the provider is still missing; for the user to mend',
  CONSENT_REVOKED: 'the authorisation was withdrawn at the provider; for the user to mend',
  CONSENT_EXPIRED: 'the authorisation has expired; for the user to mend',
  SCOPE_MISSING: 'the authorisation, or the key, does not cover everything that is needed; for the user to mend',
  FOLDER_NOT_FOUND: 'a chosen folder no longer exists; for the user to mend',
  HOST_KEY_UNKNOWN:
    'nobody has accepted the host key of the server yet (a migrated connection); for the user to confirm by saving the first step',
  ENDPOINT_NOT_FOUND:
    'the server answers, but the address or bucket of the first step does not exist; for the user to correct',
  HOST_KEY_CHANGED:
    'the server shows another host key than the accepted one; for the user to confirm by saving the first step again',
  SETUP_INCOMPLETE: 'the setup has not been completed; for the user to mend',
  HOST_NOT_FOUND: 'the name of the server is not known; for the user to correct, or it passes by itself',
  CONNECTION_REFUSED: 'nothing listens at the port of the server; passes by itself, unless the port is wrong',
  TIMED_OUT: 'the server does not answer in time; passes by itself',
  CERTIFICATE_INVALID:
    'the certificate of the server has expired, is for another name or of an unknown authority, and the user has not accepted it; for whoever runs the server, or for the user to confirm by saving the first step where the user typed the server',
  TLS_REQUIRED: 'the server lets nobody in without encryption; for the user to choose it',
  TLS_NOT_SUPPORTED: 'the server does not offer the encryption that was chosen; for the user to choose another',
  WRONG_PROTOCOL: 'another kind of server answers there; for the user to correct address or port',
  PROVIDER_DOWN: 'the provider cannot be reached; passes by itself',
  RATE_LIMITED: 'the provider asks to wait; passes by itself',
  PROVIDER_CHANGED: 'the provider answers in an unexpected way; for us to mend',
});

export type Action = 'UPDATE_CREDENTIALS' | 'AUTHORIZE' | 'COMPLETE_SETUP' | 'WAIT';

const ACTION = apiEnum<Action>('ConnectionAction', 'What helps.', {
  UPDATE_CREDENTIALS: 'enter the credentials again: `PUT /v1/connections/{uuid}`, or the hosted UI',
  AUTHORIZE: 'authorise again at the provider, in the hosted UI',
  COMPLETE_SETUP: 'complete the second step: `PUT /v1/connections/{uuid}/step2`, or the hosted UI',
  WAIT: 'nothing: it passes by itself, or is for us to mend',
});

const ACTION_OF: Readonly<Record<Reason, Action>> = {
  LOGIN_REJECTED: 'UPDATE_CREDENTIALS',
  AUTHORIZATION_PENDING: 'AUTHORIZE',
  CONSENT_REVOKED: 'AUTHORIZE',
  CONSENT_EXPIRED: 'AUTHORIZE',
  SCOPE_MISSING: 'AUTHORIZE',
  FOLDER_NOT_FOUND: 'COMPLETE_SETUP',
  HOST_KEY_UNKNOWN: 'UPDATE_CREDENTIALS',
  ENDPOINT_NOT_FOUND: 'UPDATE_CREDENTIALS',
  HOST_KEY_CHANGED: 'UPDATE_CREDENTIALS',
  PERMISSION_MISSING: 'UPDATE_CREDENTIALS',
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

@ApiSchema({ name: 'ConnectionReason', description: 'Why a connection is not as it should be.' })
export class ReasonView {
  @ApiProperty({ ...REASON_CODE, description: 'Decide by this one.', example: 'LOGIN_REJECTED' })
  code: ReasonCode;

  @ApiProperty({
    description: 'In the language of the request; safe to show to the user.',
    example: 'The provider refused user name or password.',
  })
  message: string;

  @ApiProperty({ format: 'date-time', description: 'Since when.', example: '2026-11-20T08:30:00.000Z' })
  since: string;

  @ApiProperty({
    ...ACTION,
    description: 'What helps.',
    example: 'UPDATE_CREDENTIALS',
  })
  action: Action;
}

/** Reasons about access: with OAuth it is given anew by authorising, otherwise by entering credentials. */
const OF_ACCESS: readonly Reason[] = ['LOGIN_REJECTED', 'PERMISSION_MISSING'];

type ReasonFacts = StateFacts & Pick<ConnectionFacts, 'integrationId' | 'settings'>;

/**
 * What helps, as far as it is possible for this connection: nobody authorises at a source without OAuth, or enters an address or
 * credentials at one with it. The user can only trust a server that the user typed.
 */
function actionFor(reason: Reason, { integrationId, settings }: ReasonFacts): Action {
  const action = ACTION_OF[reason];
  const integration = INTEGRATIONS.find(({ id }) => id === integrationId);
  if (!integration) return action;
  if (reason === 'CERTIFICATE_INVALID' && !integration.typedServer?.address(settings)) return 'WAIT';
  if (action === 'AUTHORIZE' && !integration.oauth) return 'UPDATE_CREDENTIALS';
  if (action === 'UPDATE_CREDENTIALS' && integration.oauth) return OF_ACCESS.includes(reason) ? 'AUTHORIZE' : 'WAIT';
  return action;
}

/** The reason in the caller's language; null when all is well. */
export function reasonView(connection: ReasonFacts): ReasonView | null {
  const reason = reasonOf(connection);
  if (!reason) return null;
  return {
    code: reasonCode(reason.code),
    message: translate(`reasons.${reason.code}`),
    since: reason.since.toISOString(),
    action: actionFor(reason.code, connection),
  };
}
