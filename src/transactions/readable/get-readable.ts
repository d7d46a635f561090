import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { parserWorkerPool } from '../../documents/extraction/parser-worker-pool';
import { PDF } from '../../documents/detection/mime-type';
import { MAX_XML_BYTES } from '../../documents/e-invoice/size-limits';
import { DocumentStore } from '../../documents/store/document-store';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { notFound } from '../../platform/errors/errors';
import { translate } from '../../platform/errors/translate';
import { currentLang } from '../../platform/i18n/lang';
import { isExpired } from '../download/send-file';
import { Transaction } from '../record/transaction.entity';
import { validationReportView } from '../validation/validation-report.view';
import { readablePage } from './readable-page';

const PREFIX = 'readable.';

/** Shows an XML e-invoice as a page for people (decisions 4 "Readable"). */
@Injectable()
export class GetReadable {
  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the HTML in the language of the request. The XML is parsed in a parser worker, with its limits for size, time and memory.
   * @throws ApiError 404 `READABLE_NOT_AVAILABLE` when it is no XML e-invoice or cannot be read, and `DOCUMENT_NOT_AVAILABLE` once
   *   `available_until` has passed
   */
  async get({ uuid }: Transaction): Promise<string> {
    const transaction = await this.em.findOne(Transaction, uuid, { populate: ['validation'] });
    if (!transaction) throw notFound('TRANSACTION_NOT_FOUND'); // deleted after the guard's check
    const { contentUuid, contentChunks: chunks, size, metadata, mimeType, filename, validation } = transaction;
    if (!metadata.e_invoice || mimeType === PDF || size > MAX_XML_BYTES) throw notFound('READABLE_NOT_AVAILABLE');
    if (!contentUuid || isExpired(transaction, this.clock.now())) throw notFound('DOCUMENT_NOT_AVAILABLE');
    const key = await this.keyManager.key(this.em, transaction.connectionUuid);
    const read = async () =>
      Buffer.concat((await this.store.read({ uuid: contentUuid, chunks, size }, key).toArray()) as Buffer[]);
    const invoice = await parserWorkerPool.readable(read);
    if (!invoice) throw notFound('READABLE_NOT_AVAILABLE');
    return readablePage(invoice, {
      filename,
      lang: currentLang(),
      text: (name, values) => withoutPrefix(translate(PREFIX + name, values)),
      ...(validation && { report: validationReportView(validation) }),
    });
  }
}

/** A missing text is its key. */
const withoutPrefix = (text: string): string => (text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);
