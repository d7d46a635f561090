import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import type { FieldOption, FieldSpec } from '../../integrations/core/field';
import type { Integration, Session } from '../../integrations/core/integration';
import { SelectionNotFound } from '../../integrations/core/source-errors';
import { invalid, notFound, unprocessable } from '../../platform/errors/errors';
import type { ConnectionFacts } from '../state/connection-facts';
import { LiveCall } from '../credentials/live-call';
import { wholeConnection } from '../access/own-connection';
import { SessionInput } from './session-input';

/** Asks the provider about the second step, while the user waits. */
@Injectable()
export class Step2 {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly live: LiveCall,
    private readonly input: SessionInput,
  ) {}

  /** `GET …/step2` (spec 4.8): the fields with their first-level options. @throws ApiError 422 `STEP_NOT_AVAILABLE` */
  fields(connection: ConnectionFacts): Promise<FieldSpec[]> {
    return this.call(connection, (session, integration) => integration.step2!(session));
  }

  /**
   * `POST …/step2/{field_id}/more` (spec 4.10): the children of an option. Empty when there are none.
   * @throws ApiError 404 `FIELD_NOT_FOUND`; 422 naming `parent_id` when the provider no longer has the parent (decisions 4)
   */
  async more(connection: ConnectionFacts, fieldId: string, parentId: string | undefined): Promise<FieldOption[]> {
    return this.call(connection, async (session, integration) => {
      const known = (await integration.step2!(session)).find((field) => field.id === fieldId);
      if (!known) throw notFound('FIELD_NOT_FOUND');
      // Without a loader all options stand in the field.
      if (!integration.options) return [];
      try {
        return await integration.options(session, fieldId, parentId);
      } catch (error) {
        const isParentGone = parentId !== undefined && error instanceof SelectionNotFound;
        throw isParentGone ? invalid([{ field: 'parent_id', code: 'GONE_AT_PROVIDER' }]) : error;
      }
    });
  }

  /** The second step's fields, and the provider's options behind chosen values, or the defaults (null: there is none). */
  async resolve(connection: ConnectionFacts, values: Readonly<Record<string, readonly string[]>>): Promise<Resolved> {
    return this.call(connection, async (session, integration) => {
      const fields = await integration.step2!(session);
      const options: Record<string, (FieldOption | null)[]> = {};
      for (const field of fields.filter((candidate) => candidate.type === 'tree')) {
        const given = values[field.id] ?? [];
        const chosen = given.length > 0 || !Array.isArray(field.default) ? given : (field.default as readonly string[]);
        options[field.id] =
          (await integration.resolve?.(session, field.id, chosen)) ?? chosen.map((value) => ({ value, label: value }));
      }
      return { fields, options };
    });
  }

  private async call<T>(
    connection: ConnectionFacts,
    ask: (session: Session, integration: Integration) => Promise<T>,
  ): Promise<T> {
    const integration = this.integrations.get(connection.integrationId);
    if (!integration.step2) throw unprocessable('STEP_NOT_AVAILABLE');
    const whole = await wholeConnection(this.em, connection.uuid);
    const input = await this.input.run(whole, integration, 'live');
    return this.live.run(integration, input, (session) => ask(session, integration));
  }
}

export interface Resolved {
  readonly fields: FieldSpec[];
  readonly options: Readonly<Record<string, readonly (FieldOption | null)[]>>;
}
