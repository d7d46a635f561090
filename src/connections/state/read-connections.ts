import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared } from '../../platform/database/sql';
import { type ConnectionRecord, INTERNAL_PROPERTIES } from './connection-record';
import { Connection } from './connection.entity';

interface Column {
  readonly property: string;
  readonly name: string;
  readonly isTimestamp: boolean;
}

/**
 * Reads connections without the ORM, because nearly every request reads one. `clauses` is the SQL after `from connection`.
 */
export async function readConnections(
  em: EntityManager,
  clauses: string,
  parameters: readonly unknown[],
): Promise<ConnectionRecord[]> {
  columns ??= columnsOf(em);
  const names = columns.map(({ name }) => name).join(', ');
  const rows = await prepared<Record<string, unknown>>(em, `select ${names} from connection ${clauses}`, parameters);
  return rows.map(toRecord);
}

let columns: readonly Column[] | undefined;

/** The entity's columns, so that a new one is read without a change here. */
function columnsOf(em: EntityManager): Column[] {
  const internal = new Set<string>(INTERNAL_PROPERTIES);
  return Object.values(em.getMetadata().get(Connection).properties)
    .filter(({ name }) => !internal.has(name))
    .map(({ name, fieldNames, runtimeType }) => ({
      property: name,
      name: fieldNames[0]!,
      isTimestamp: runtimeType === 'Date',
    }));
}

function toRecord(row: Record<string, unknown>): ConnectionRecord {
  const record: Record<string, unknown> = {};
  for (const { property, name, isTimestamp } of columns!) {
    const value = row[name];
    record[property] = isTimestamp && typeof value === 'string' ? new Date(value) : value;
  }
  return record as unknown as ConnectionRecord;
}
