import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { FieldSpec } from '../../integrations/core/field';
import { validateFields } from '../../integrations/core/validate-fields';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { type InvalidField, invalid } from '../../platform/errors/errors';
import type { SaveStep2Dto } from './step2.dto';
import type { ConnectionFacts } from '../state/connection-facts';
import { Connection } from '../state/connection.entity';
import { FurtherConsent } from '../oauth/further-consent';
import { lockConnection } from '../access/own-connection';
import { RecordChange } from '../state/record-change';
import { scheduledAfter } from '../state/scheduled-after';
import { type Resolved, Step2 } from './step2';

/** `PUT …/step2` (spec 4.9): keeps the choice with its labels; the end of a new connection's setup brings its first fetch. */
@Injectable()
export class SaveStep2 {
  constructor(
    private readonly em: EntityManager,
    private readonly step2: Step2,
    private readonly record: RecordChange,
    private readonly consent: FurtherConsent,
    private readonly clock: Clock,
  ) {}

  /**
   * Answers where the user has to go when what was chosen needs more than the user has granted (decisions 4); null otherwise.
   * @throws ApiError 422 naming every field whose value is missing, wrong or no option of the provider
   */
  async run(caller: Caller, connection: ConnectionFacts, dto: SaveStep2Dto): Promise<string | null> {
    const resolved = await this.step2.resolve(connection, choices(dto.fields));
    const { values, faults } = validateFields(resolved.fields, dto.fields);
    const wrong = [...faults, ...unknownChoices(resolved)];
    if (wrong.length > 0) throw invalid(wrong);

    return this.em.fork().transactional(async (em) => {
      const row = await lockConnection(em, connection.uuid);
      const before = row.status;
      const now = this.clock.now();
      row.step2 = values;
      row.step2Fields = resolved.fields.map(withoutOptions);
      row.displayValues = labels(resolved);
      row.updatedAt = now;
      const authorizationUrl = await this.consent.run(em, caller, row);
      if (row.failureReason === 'FOLDER_NOT_FOUND' && row.setupCompletedAt) {
        row.mended(now, await this.nextSchedule(row, now));
      }
      // What needs a further consent is set up when that has come.
      if (!row.setupCompletedAt && authorizationUrl === null) row.setUp(now, await this.nextSchedule(row, now));
      this.record.run(em, caller, row, {
        action: 'save-step2',
        before,
        details: { isUpdateFlow: dto.isUpdateFlow ?? false },
        facts: [{ type: 'connection.setup_saved', data: {} }],
      });
      return authorizationUrl;
    });
  }

  private async nextSchedule(connection: Connection, now: Date): Promise<Date> {
    const environment = await this.em.fork().findOneOrFail(Environment, connection.environmentUuid);
    return scheduledAfter(connection, now, environment);
  }
}

/** The texts that were sent for each field; anything else is the field validation's to refuse. */
function choices(fields: Readonly<Record<string, unknown>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([id, value]) => [
      id,
      (Array.isArray(value) ? value : [value])
        .filter((item): item is string => typeof item === 'string')
        .slice(0, 1000),
    ]),
  );
}

function unknownChoices({ fields, options }: Resolved): InvalidField[] {
  return fields
    .filter((field) => options[field.id]?.some((option) => option === null || option.selectable === false))
    .map((field) => ({ field: `fields.${field.id}`, code: 'INVALID_CHOICE', params: { label: field.label } }));
}

function labels({ options }: Resolved): Connection['displayValues'] {
  return Object.fromEntries(
    Object.entries(options).map(([id, chosen]) => [
      id,
      Object.fromEntries(chosen.filter((option) => option !== null).map((option) => [option.value, option.label])),
    ]),
  );
}

/** A provider's whole folder list is not worth keeping; a closed list of choices is. */
function withoutOptions(field: FieldSpec): FieldSpec {
  return field.type === 'tree' ? { ...field, options: null } : field;
}
