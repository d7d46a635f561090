import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from './environment.entity';

/** Finds all environments, oldest first, or a single one. For the support team (decisions 7). */
@Injectable()
export class FindEnvironments {
  constructor(private readonly em: EntityManager) {}

  /** @throws Error when the environment does not exist */
  async find(uuid: string | null = null): Promise<Environment[]> {
    const found = await this.em.fork().find(Environment, uuid ? { uuid } : {}, { orderBy: { uuid: 'asc' } });
    if (uuid && found.length === 0) throw new Error(`There is no environment ${uuid}.`);
    return found;
  }
}
