import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import type { FieldSpec, Localized } from '../../integrations/core/field';
import { validateFields } from '../../integrations/core/validate-fields';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { type InvalidField, invalid } from '../../platform/errors/errors';
import type { SaveStep2Dto } from './step2.dto';
import type { ConnectionRecord } from '../state/connection-record';
import { Connection } from '../state/connection.entity';
import { ScopeUpgrade } from '../oauth/scope-upgrade';
import { lockConnection } from '../access/load-connection';
import { ConnectionChangeLog } from '../state/connection-change-log';
import { nextFetchTime } from '../state/next-fetch-time';
import { type ResolvedStep2, Step2Loader } from './step2-loader';

/** `PUT …/step2` (spec 4.9): stores the selection with its labels. Completing the setup of a new connection starts its first fetch. */
@Injectable()
export class SaveStep2 {
  constructor(
    private readonly em: EntityManager,
    private readonly step2: Step2Loader,
    private readonly changes: ConnectionChangeLog,
    private readonly scopeUpgrade: ScopeUpgrade,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns an `authorization_url` if the selection requires scopes that the user has not granted (decisions 4), else null.
   * @throws ApiError 422 for every field whose value is missing, invalid or not an option of the provider
   */
  async save(caller: Caller, connection: ConnectionRecord, dto: SaveStep2Dto): Promise<string | null> {
    const resolved = await this.step2.resolveChoices(connection, stringValues(dto.fields));
    const { values, invalidFields } = validateFields(resolved.fields, dto.fields);
    const errors = [...invalidFields, ...invalidChoices(resolved)];
    if (errors.length > 0) throw invalid(errors);

    const dataKey = await this.scopeUpgrade.readKey(this.em.fork(), connection);
    return this.em.fork().transactional(async (em) => {
      const row = await lockConnection(em, connection.uuid);
      const before = row.status;
      const now = this.clock.now();
      row.step2 = values;
      row.step2Fields = resolved.fields.map(withoutOptions);
      row.displayValues = optionLabelsById(resolved);
      row.updatedAt = now;
      const authorizationUrl = await this.scopeUpgrade.request(em, caller, row, dataKey);
      if (row.failureReason === 'FOLDER_NOT_FOUND' && row.setupCompletedAt) {
        row.recovered(now, await nextScheduleOf(em, row, now));
      }
      // If a scope upgrade is needed, that authorization completes the setup.
      if (!row.setupCompletedAt && authorizationUrl === null)
        row.completeSetup(now, await nextScheduleOf(em, row, now));
      this.changes.record(em, caller, row, {
        action: 'save-step2',
        before,
        details: { isUpdateFlow: dto.isUpdateFlow ?? false },
        events: [{ type: 'connection.setup_saved', data: {} }],
      });
      return authorizationUrl;
    });
  }
}

async function nextScheduleOf(em: EntityManager, connection: Connection, now: Date): Promise<Date> {
  const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
  return nextFetchTime(connection, now, environment);
}

/** The string values of each field; the field validation rejects everything else. */
function stringValues(fields: Readonly<Record<string, unknown>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([id, value]) => [
      id,
      (Array.isArray(value) ? value : [value])
        .filter((item): item is string => typeof item === 'string')
        .slice(0, 1000),
    ]),
  );
}

/** Names what the user has selected earlier and the provider no longer has. */
function invalidChoices({ fields, options, gone }: ResolvedStep2): InvalidField[] {
  return fields
    .filter((field) => options[field.id]?.some((option) => option === null || option.selectable === false))
    .map(({ id, label }): InvalidField => {
      const error = { field: `fields.${id}`, code: 'INVALID_CHOICE' };
      const names = gone[id] ?? [];
      if (names.length === 0) return { ...error, params: { label } };
      return { ...error, sentence: 'INVALID_CHOICE_GONE', params: { label, names: listOf(names) } };
    });
}

function listOf(names: readonly (Localized | string)[]): Localized {
  const joined = (lang: keyof Localized) =>
    names.map((name) => (typeof name === 'string' ? name : name[lang])).join(', ');
  return { en: joined('en'), de: joined('de') };
}

function optionLabelsById({ options }: ResolvedStep2): Connection['displayValues'] {
  return Object.fromEntries(
    Object.entries(options).map(([id, chosen]) => [
      id,
      Object.fromEntries(chosen.filter((option) => option !== null).map((option) => [option.value, option.label])),
    ]),
  );
}

/** Drops a provider's folder list, which is long and changes; fixed lists of options are kept. */
function withoutOptions(field: FieldSpec): FieldSpec {
  return field.type === 'tree' ? { ...field, options: null } : field;
}
