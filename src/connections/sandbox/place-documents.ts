import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { euros, fixtureDocument } from '../../integrations/shared/sandbox/fixture-document';
import { SandboxPortals } from '../../integrations/shared/sandbox/sandbox-portals';
import type { Caller } from '../../platform/http/access/access.decorator';
import { invalid } from '../../platform/errors/errors';
import type { Connection } from '../state/connection.entity';
import type { ConnectionRecord } from '../state/connection-record';
import { lockConnection } from '../access/load-connection';
import { ConnectionChangeLog } from '../state/connection-change-log';
import type { PlacedDocumentView } from './placed-documents.view';
import { SandboxPolicy } from './sandbox-policy';
import { PlaceDocumentsDto } from './sandbox-commands.dto';

/** `POST /v1/sandbox/connections/{uuid}/documents` (decisions 5): puts documents into the portal for the next fetch. */
@Injectable()
export class PlaceDocuments {
  constructor(
    private readonly em: EntityManager,
    private readonly sandbox: SandboxPolicy,
    private readonly portals: SandboxPortals,
    private readonly changes: ConnectionChangeLog,
  ) {}

  /** @throws ApiError 422 for an e-invoice of a type that has none, `TEST_ENVIRONMENT_ONLY`, `SANDBOX_ONLY` */
  async place(caller: Caller, connection: ConnectionRecord, dto: PlaceDocumentsDto): Promise<PlacedDocumentView[]> {
    const invalidFields = PlaceDocumentsDto.crossFieldErrors(dto);
    if (invalidFields.length > 0) throw invalid(invalidFields);
    this.sandbox.assertAllowed(caller, connection);
    const { count, format, external_id: hasExternalId, document_type: documentType = 'invoice' } = dto;
    return this.em.fork().transactional(async (em) => {
      const row = await lockConnection(em, connection.uuid);
      const { first, day } = await this.portals.place(em, row, { count, documentType, format, hasExternalId });
      this.changes.record(em, caller, row, { action: 'place-documents', details: { count, format, documentType } });
      return Array.from({ length: count }, (_, i) => {
        const document = fixtureDocument(userOf(row), first + i, day, { documentType, format });
        return {
          filename: `${document.number}.${format === 'XML' ? 'xml' : 'pdf'}`,
          document_type: documentType,
          external_id: hasExternalId ? document.externalId : null,
          number: document.number,
          date: day,
          amount: euros(document.gross),
        };
      });
    });
  }
}

/** The user whose documents the portal lists: the account that consented, or the user of the first step. */
const userOf = ({ accountDisplay, settings }: Connection): string =>
  accountDisplay ?? (settings as { user?: string }).user ?? '';
