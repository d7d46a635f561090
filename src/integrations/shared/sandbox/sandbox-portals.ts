import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { DocumentType } from '../../../documents/metadata';
import { Clock } from '../../../platform/clock/clock';
import { digestOf } from '../../../platform/crypto/signed-token';
import { affected, sql } from '../../../platform/database/sql';
import type { Format, PlacedDocuments, SandboxPortal } from '../../core/sandbox-portal';

interface PlacedRow {
  readonly number: number;
  readonly first: number;
  readonly count: number;
  readonly document_type: DocumentType;
  readonly format: Format;
  readonly has_external_id: boolean;
  readonly day: string;
}

const COLUMNS = 'number, first, count, document_type, format, has_external_id, day::text as day';

/** Stores the sandbox's placed documents and consents. */
@Injectable()
export class SandboxPortals {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** The portal's data of one connection. */
  of(connectionUuid: string): SandboxPortal {
    return {
      placedAfter: (number) => this.placedAfter(connectionUuid, number),
      consent: async (accessToken) => {
        const [row] = await sql<{ account: string; scopes: string[]; is_active: boolean; is_affected: boolean }>(
          this.em.fork(),
          `select account, scopes, is_affected, revoked_at is null and access_expires_at > $3 as is_active
           from sandbox_consent where connection_uuid = $1 and access_digest = $2`,
          [connectionUuid, digestOf(accessToken), this.clock.now()],
        );
        if (!row) return null;
        return { account: row.account, scopes: row.scopes, isActive: row.is_active, isAffected: row.is_affected };
      },
    };
  }

  /** Places documents in the caller's transaction, which has locked the connection's row. Returns the placed documents. */
  async place(
    em: EntityManager,
    connection: { readonly uuid: string; readonly environmentUuid: string },
    order: Pick<PlacedDocuments, 'count' | 'documentType' | 'format' | 'hasExternalId'>,
  ): Promise<PlacedDocuments> {
    const rows = await sql<PlacedRow>(
      em,
      `insert into sandbox_document_batch
         (connection_uuid, environment_uuid, number, first, count, document_type, format, has_external_id, day)
       select $1, $7, count(*) + 1, coalesce(sum(count), 0), $2, $3, $4, $5, $6
       from sandbox_document_batch where connection_uuid = $1
       returning ${COLUMNS}`,
      [
        connection.uuid,
        order.count,
        order.documentType,
        order.format,
        order.hasExternalId,
        this.today(),
        connection.environmentUuid,
      ],
    );
    return placed(rows[0]!);
  }

  /** Marks all existing consents as affected by a scenario that starts, in the caller's transaction. */
  async affectConsents(em: EntityManager, connectionUuid: string): Promise<void> {
    await affected(em, 'update sandbox_consent set is_affected = true where connection_uuid = $1', [connectionUuid]);
  }

  private async placedAfter(connectionUuid: string, number: number): Promise<PlacedDocuments[]> {
    const rows = await sql<PlacedRow>(
      this.em.fork(),
      `select ${COLUMNS} from sandbox_document_batch where connection_uuid = $1 and number > $2 order by number`,
      [connectionUuid, number],
    );
    return rows.map(placed);
  }

  private today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }
}

const placed = ({ document_type, has_external_id, ...row }: PlacedRow): PlacedDocuments => ({
  ...row,
  documentType: document_type,
  hasExternalId: has_external_id,
});
