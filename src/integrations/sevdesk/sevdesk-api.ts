import type { Readable } from 'node:stream';
import { UnexpectedResponse } from '../core/source-errors';
import { RestClient } from '../shared/rest/rest-client';
import type { SevdeskSession } from './fields';
import { classify, classifyDocument } from './sevdesk-errors';

/** The models of the API that have a PDF. */
export type Resource = 'Invoice' | 'CreditNote';

interface Named {
  readonly id: string;
  readonly objectName: string;
}

/** The embedded part of a contact. Organizations have `name`, persons the other two. */
interface Contact extends Partial<Named> {
  readonly name?: string | null;
  readonly surename?: string | null;
  readonly familyname?: string | null;
  readonly vatNumber?: string | null;
  readonly taxNumber?: string | null;
}

/** The used fields of an invoice or credit note. Numbers and amounts are strings. */
export interface SevdeskDocument extends Named {
  readonly invoiceNumber?: string | null;
  readonly invoiceDate?: string | null;
  readonly invoiceType?: string | null;
  readonly creditNoteNumber?: string | null;
  readonly creditNoteDate?: string | null;
  /** 50 deactivated, 100 draft, 200 open, 750 partially paid, 1000 paid. */
  readonly status: string;
  readonly create?: string | null;
  readonly update?: string | null;
  readonly timeToPay?: string | null;
  readonly payDate?: string | null;
  readonly deliveryDate?: string | null;
  readonly deliveryDateUntil?: string | null;
  readonly currency?: string | null;
  readonly sumNet?: string | null;
  readonly sumTax?: string | null;
  readonly sumGross?: string | null;
  readonly sumNetForeignCurrency?: string | null;
  readonly sumTaxForeignCurrency?: string | null;
  readonly sumGrossForeignCurrency?: string | null;
  readonly paidAmount?: string | number | null;
  readonly contact?: Contact | null;
  readonly sevClient?: Named | null;
}

export interface SevdeskPage {
  readonly objects: readonly SevdeskDocument[];
  /** The total number of documents; undefined when it is missing. */
  readonly total: number | undefined;
}

/** The used part of the API. */
export class SevdeskApi {
  private readonly client: RestClient;
  private readonly documents: RestClient;

  constructor(session: SevdeskSession) {
    const options = {
      provider: 'sevdesk',
      authorization: session.fields.api_token,
      headers: { accept: 'application/json', 'user-agent': 'Docfetch' },
    };
    this.client = new RestClient(session, { ...options, classify });
    this.documents = new RestClient(session, { ...options, classify: classifyDocument });
  }

  /** The sevdesk account of the token's user. Every object contains it; a check account always exists. */
  async account(): Promise<string> {
    for (const resource of ['Invoice', 'CreditNote', 'CheckAccount'] as const) {
      const { objects } = await this.list(resource, { limit: 1 });
      const id = objects[0]?.sevClient?.id;
      if (id !== undefined) return String(id);
    }
    throw new UnexpectedResponse('sevdesk does not identify the account.');
  }

  /**
   * Invoices or credit notes dated after a time (seconds), ordered by number, so that those issued meanwhile come last. Without
   * recurring templates and reminders.
   */
  page(resource: Resource, after: number | undefined, offset: number, limit: number): Promise<SevdeskPage> {
    const order = resource === 'Invoice' ? 'orderByInvoiceNumber' : 'orderByCreditNoteNumber';
    return this.list(resource, { startDate: after, embed: 'contact', [order]: 'ASC', countAll: true, limit, offset });
  }

  /** The PDF as the API delivers it, usually within JSON. The document is not marked as sent. */
  pdf(resource: Resource, id: string): Promise<{ stream: Readable; mimeType: string }> {
    return this.documents.bytes(`/${resource}/${encodeURIComponent(id)}/getPdf`, {
      download: true,
      preventSendBy: true,
    });
  }

  private async list(path: string, query: Record<string, string | number | boolean | undefined>): Promise<SevdeskPage> {
    const { objects, total } = await this.client.json<{ objects?: SevdeskDocument[]; total?: string | number }>(
      `/${path}`,
      query,
    );
    if (!Array.isArray(objects)) throw new UnexpectedResponse(`sevdesk answers without a list of ${path}.`);
    return { objects, total: total === undefined || total === null ? undefined : Number(total) };
  }
}
