import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/errors/envelope';
import { DEFAULT_LIMIT, pageOf, uuidCursor } from '../../platform/http/input/page';
import { Environment } from '../environments/environment.entity';
import { DescribeManagedEnvironments } from './describe-managed-environments';
import type { ListEnvironmentsQuery } from './environment.dto';
import type { ManagedEnvironmentView } from './environment.view';

/** `GET /v1/console/environments`: all environments, oldest first, or those that a search finds. */
@Injectable()
export class ListEnvironments {
  constructor(
    private readonly em: EntityManager,
    private readonly environments: DescribeManagedEnvironments,
  ) {}

  async list(query: ListEnvironmentsQuery): Promise<Page<ManagedEnvironmentView>> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = uuidCursor(query);
    const rows = await this.em.fork().find(
      Environment,
      {
        $and: [...(after ? [{ uuid: { $gt: after } }] : []), ...(query.q ? [matches(query.q)] : [])],
      },
      { orderBy: { uuid: 'asc' }, limit: limit + 1 },
    );
    const { page, meta } = pageOf(rows, limit);
    return {
      data: await this.environments.describe(page),
      meta,
    };
  }
}

/** The text is a part of the names or of the uuid; `%` and `_` have no special meaning. */
function matches(text: string) {
  const searched = raw(
    (alias) => `strpos(lower(${alias}.client_name || ' ' || ${alias}.name || ' ' || ${alias}.uuid), ?)`,
    [text.toLowerCase()],
  );
  return { [searched]: { $gt: 0 } };
}
