import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  CreateEnvironment,
  type CreatedEnvironment,
  type NewEnvironment,
} from '../../identities/environments/create-environment';
import { ManageKeys } from './manage-keys';

/** `environment create` (decisions 7): an environment with its first API key, both or neither. */
@Injectable()
export class CreateClient {
  constructor(
    private readonly em: EntityManager,
    private readonly createEnvironment: CreateEnvironment,
    private readonly keys: ManageKeys,
  ) {}

  /** Key and signing secret are returned only here. */
  create(actor: string, given: NewEnvironment): Promise<CreatedEnvironment & { readonly apiKey: string }> {
    return this.em.fork().transactional(async (em) => {
      const created = await this.createEnvironment.create(actor, given, em);
      const { key } = await this.keys.issue(actor, created.environment.uuid, null, {}, em);
      return { ...created, apiKey: key };
    });
  }
}
