import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { type FieldSpec, STARTDATE_FIELD } from '../../integrations/core/field';
import type { Integration } from '../../integrations/core/integration';
import { usesOAuth } from '../../integrations/shared/oauth/oauth-client';
import { type Step1Input, validateStep1 } from '../../integrations/shared/trust/step1-input';
import type { FieldInput } from '../../integrations/core/validate-fields';
import type { Caller } from '../../platform/http/access/access.decorator';
import { ApiError, type InvalidField, invalid, unprocessable } from '../../platform/errors/errors';
import type { UpdateConnectionDto } from '../setup/connection.dto';
import type { Connection } from '../state/connection.entity';
import { LiveCall, type LiveInput } from '../credentials/live-call';
import { splitSecrets } from '../setup/new-connection';
import { wholeConnection } from '../access/own-connection';
import { SaveConnection } from '../setup/save-connection';
import { SessionInput } from '../setup/session-input';
import { scopesLacking } from '../oauth/start-authorization';

interface Updated {
  readonly connection: Connection;
  readonly step2Fields: FieldSpec[] | null;
  readonly authorizationUrl: string | null;
}

/** `PUT /v1/connections/{uuid}` (spec 4.3): the old credentials stay until the new ones have passed (decisions 4). */
@Injectable()
export class UpdateConnection {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly live: LiveCall,
    private readonly input: SessionInput,
    private readonly save: SaveConnection,
  ) {}

  /**
   * Answers the second step's fields when there is one, as it may have to be looked at again, or where the user has to go to
   * authorise.
   */
  async run(caller: Caller, { uuid }: Pick<Connection, 'uuid'>, dto: UpdateConnectionDto): Promise<Updated> {
    if (dto.fields === undefined) {
      if (dto.name === undefined) throw invalid([{ field: 'fields', code: 'REQUIRED' }]);
      return { ...(await this.save.run(caller, uuid, { name: dto.name })), step2Fields: null };
    }
    const connection = await wholeConnection(this.em, uuid);
    const integration = this.integrations.get(connection.integrationId);
    const stored = await this.input.run(connection, integration, 'live');
    const { values, accepted } = validInput(connection, integration, { ...stored.fields, ...dto.fields });

    const checked = await this.check(connection, integration, { ...stored, fields: values, accepted });
    if (checked && connection.accountId != null && connection.accountId !== checked.account.id) {
      throw unprocessable('ACCOUNT_MISMATCH');
    }
    const saved = await this.save.run(caller, uuid, {
      name: dto.name,
      ...splitSecrets(integration, values),
      ...(checked ? { checked } : { authorize: usesOAuth(integration) ? integration : undefined }),
    });
    return { ...saved, step2Fields: checked?.step2Fields ?? null };
  }

  /** Null when the user has to authorise us (again) first: there is nothing to check. */
  private async check(connection: Connection, integration: Integration, input: LiveInput) {
    if (!usesOAuth(integration)) return this.live.check(integration, input);
    if (!this.integrations.isAvailable(integration)) throw unprocessable('INTEGRATION_NOT_AVAILABLE');
    const isInDoubt = connection.credentialsRejectedAt ?? connection.credentialsDoubtedAt;
    if (isInDoubt || connection.failureReason === 'AUTHORIZATION_PENDING') return null;
    // Not by the last failure: another one may have come since.
    if ((await scopesLacking(this.em.fork(), connection, integration)).length > 0) return null;
    try {
      return await this.live.check(integration, input);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CREDENTIALS_REJECTED') return null;
      throw error;
    }
  }
}

/**
 * The validated input of the first step.
 * @throws ApiError 422 naming every wrong field; `STARTDATE_BEFORE_MIGRATION` when that is all that is wrong (decisions 4)
 */
function validInput({ migratedOn }: Connection, integration: Integration, input: FieldInput): Step1Input {
  const { values, faults, accepted } = validateStep1(integration, input);
  const isJudged = !faults.some(({ field }) => field === 'fields.startdate');
  const { startdate } = values as { startdate?: string };
  // Without a start date everything is fetched.
  if (migratedOn == null || !isJudged || (startdate !== undefined && startdate >= migratedOn)) {
    if (faults.length > 0) throw invalid(faults);
    return { values, faults, accepted };
  }
  const tooEarly: InvalidField = {
    field: 'fields.startdate',
    code: 'STARTDATE_BEFORE_MIGRATION',
    params: { label: STARTDATE_FIELD.label, limit: migratedOn },
  };
  if (faults.length > 0) throw invalid([...faults, tooEarly]);
  throw unprocessable('STARTDATE_BEFORE_MIGRATION', { errors: [tooEarly] });
}
