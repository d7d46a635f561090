import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import type { FieldOption, FieldSpec, Localized } from '../../integrations/core/field';
import type { Integration, Session } from '../../integrations/core/integration';
import { SelectionNotFound } from '../../integrations/core/source-errors';
import { invalid, notFound, unprocessable } from '../../platform/errors/errors';
import type { Connection } from '../state/connection.entity';
import type { ConnectionRecord } from '../state/connection-record';
import { CredentialCheck } from '../credentials/credential-check';
import { loadConnection } from '../access/load-connection';
import { SessionInputLoader } from './session-input-loader';

/** Loads the fields and options of the second step from the provider, while the user waits. */
@Injectable()
export class Step2Loader {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly credentials: CredentialCheck,
    private readonly input: SessionInputLoader,
  ) {}

  /** `GET …/step2` (spec 4.8): the fields with their first-level options. @throws ApiError 422 `STEP_NOT_AVAILABLE` */
  loadFields(connection: ConnectionRecord): Promise<FieldSpec[]> {
    return this.withSession(connection, (session, integration) => integration.step2!(session));
  }

  /**
   * `POST …/step2/{field_id}/more` (spec 4.10): the children of an option, or an empty list.
   * @throws ApiError 404 `FIELD_NOT_FOUND`; 422 for `parent_id` if the parent no longer exists at the provider (decisions 4)
   */
  async loadOptions(
    connection: ConnectionRecord,
    fieldId: string,
    parentId: string | undefined,
  ): Promise<FieldOption[]> {
    return this.withSession(connection, async (session, integration) => {
      const field = (await integration.step2!(session)).find((field) => field.id === fieldId);
      if (!field) throw notFound('FIELD_NOT_FOUND');
      // Without a loader, the field contains all options.
      if (!integration.options) return [];
      try {
        return await integration.options(session, fieldId, parentId);
      } catch (error) {
        const isParentGone = parentId !== undefined && error instanceof SelectionNotFound;
        throw isParentGone ? invalid([{ field: 'parent_id', code: 'GONE_AT_PROVIDER' }]) : error;
      }
    });
  }

  /** The fields of the second step, and the provider's options for the selected values or the defaults (null: none exists). */
  async resolveChoices(
    connection: ConnectionRecord,
    values: Readonly<Record<string, readonly string[]>>,
  ): Promise<ResolvedStep2> {
    return this.withSession(connection, async (session, integration, { displayValues }) => {
      const fields = await integration.step2!(session);
      const options: Record<string, (FieldOption | null)[]> = {};
      const gone: Record<string, (Localized | string)[]> = {};
      for (const field of fields.filter((candidate) => candidate.type === 'tree')) {
        const given = values[field.id] ?? [];
        const chosen = given.length > 0 || !Array.isArray(field.default) ? given : (field.default as readonly string[]);
        options[field.id] =
          (await integration.resolve?.(session, field.id, chosen)) ?? chosen.map((value) => ({ value, label: value }));
        gone[field.id] = chosen.flatMap((value, at) =>
          options[field.id]![at] === null ? (displayValues[field.id]?.[value] ?? []) : [],
        );
      }
      return { fields, options, gone };
    });
  }

  private async withSession<T>(
    connection: ConnectionRecord,
    callback: (session: Session, integration: Integration, loaded: Connection) => Promise<T>,
  ): Promise<T> {
    const integration = this.integrations.get(connection.integrationId);
    if (!integration.step2) throw unprocessable('STEP_NOT_AVAILABLE');
    const loaded = await loadConnection(this.em, connection.uuid);
    const input = await this.input.load(loaded, integration, 'live');
    return this.credentials.withSession(integration, input, (session) => callback(session, integration, loaded));
  }
}

export interface ResolvedStep2 {
  readonly fields: FieldSpec[];
  readonly options: Readonly<Record<string, readonly (FieldOption | null)[]>>;
  /** Names of selected options that were available when they were stored, and are not any more. */
  readonly gone: Readonly<Record<string, readonly (Localized | string)[]>>;
}
