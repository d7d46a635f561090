import { isDeepStrictEqual } from 'node:util';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { type FieldSpec, STARTDATE_FIELD } from '../../integrations/core/field';
import type { Integration } from '../../integrations/core/integration';
import { usesOAuth } from '../../integrations/shared/oauth/registered-client';
import { type Step1Input, validateStep1 } from '../../integrations/shared/trust/step1-input';
import type { FieldInput } from '../../integrations/core/validate-fields';
import type { Caller } from '../../platform/http/access/access.decorator';
import { ApiError, type InvalidField, invalid, unprocessable } from '../../platform/errors/errors';
import type { UpdateConnectionDto } from '../setup/connection.dto';
import type { Connection } from '../state/connection.entity';
import { CredentialCheck, type CredentialCheckInput } from '../credentials/credential-check';
import { splitSecrets } from '../setup/build-connection';
import { loadConnection } from '../access/load-connection';
import { ChangeConnection } from '../setup/change-connection';
import { SessionInputLoader } from '../setup/session-input-loader';
import { missingScopesOf } from '../oauth/start-authorization';

interface UpdatedConnection {
  readonly connection: Connection;
  readonly step2Fields: FieldSpec[] | null;
  readonly authorizationUrl: string | null;
}

/** `PUT /v1/connections/{uuid}` (spec 4.3): the old credentials stay until the new ones are accepted (decisions 4). */
@Injectable()
export class UpdateConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly credentials: CredentialCheck,
    private readonly input: SessionInputLoader,
    private readonly changeConnection: ChangeConnection,
  ) {}

  /** Returns the fields of the second step, which the user may have to review, or an `authorization_url`. */
  async update(
    caller: Caller,
    { uuid }: Pick<Connection, 'uuid'>,
    dto: UpdateConnectionDto,
  ): Promise<UpdatedConnection> {
    if (dto.fields === undefined) {
      if (dto.name === undefined) throw invalid([{ field: 'fields', code: 'REQUIRED' }]);
      return { ...(await this.changeConnection.change(caller, uuid, { name: dto.name })), step2Fields: null };
    }
    const connection = await loadConnection(this.em, uuid);
    const integration = this.integrations.get(connection.integrationId);
    const stored = await this.input.load(connection, integration, 'live');
    const { values, accepted } = validateInput(connection, integration, { ...stored.fields, ...dto.fields });

    const checked = await this.check(connection, integration, { ...stored, fields: values, accepted });
    if (checked && connection.accountId != null && connection.accountId !== checked.account.id) {
      throw unprocessable('ACCOUNT_MISMATCH');
    }
    const step1 = {
      ...splitSecrets(integration, values),
      isChanged: !isDeepStrictEqual(values, stored.fields) || accepted !== undefined,
      ...(checked ? { checked } : { authorize: usesOAuth(integration) ? integration : undefined }),
    };
    const changed = await this.changeConnection.change(caller, uuid, { name: dto.name, step1 });
    return { ...changed, step2Fields: checked?.step2Fields ?? null };
  }

  /** Null if the user has to authorize us first, so that there is nothing to check. */
  private async check(connection: Connection, integration: Integration, input: CredentialCheckInput) {
    if (!usesOAuth(integration)) return this.credentials.check(integration, input);
    if (!this.integrations.isAvailable(integration)) throw unprocessable('INTEGRATION_NOT_AVAILABLE');
    const isInDoubt = connection.credentialsRejectedAt ?? connection.credentialsSuspectAt;
    if (isInDoubt || connection.failureReason === 'AUTHORIZATION_PENDING') return null;
    // Compares the scopes instead of the last failure, which another one may have replaced.
    if ((await missingScopesOf(this.em.fork(), connection, integration)).length > 0) return null;
    try {
      return await this.credentials.check(integration, input);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CREDENTIALS_REJECTED') return null;
      throw error;
    }
  }
}

/**
 * Validates the input of the first step.
 * @throws ApiError 422 with every field error; `STARTDATE_BEFORE_MIGRATION` if that is the only one (decisions 4)
 */
function validateInput({ migratedOn }: Connection, integration: Integration, input: FieldInput): Step1Input {
  const { values, invalidFields, accepted } = validateStep1(integration, input);
  const isValidDate = !invalidFields.some(({ field }) => field === 'fields.startdate');
  const { startdate } = values as { startdate?: string };
  // Without a start date, everything is fetched.
  if (migratedOn == null || !isValidDate || (startdate !== undefined && startdate >= migratedOn)) {
    if (invalidFields.length > 0) throw invalid(invalidFields);
    return { values, invalidFields, accepted };
  }
  const tooEarly: InvalidField = {
    field: 'fields.startdate',
    code: 'STARTDATE_BEFORE_MIGRATION',
    params: { label: STARTDATE_FIELD.label, limit: migratedOn },
  };
  if (invalidFields.length > 0) throw invalid([...invalidFields, tooEarly]);
  throw unprocessable('STARTDATE_BEFORE_MIGRATION', { errors: [tooEarly] });
}
