import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { apiEnum } from '../platform/openapi/api-enum';
import { type DocumentType, type Metadata, type Party, type PAYMENT_STATUSES, PROVENANCES } from './metadata';
import { SourceView } from './document-source.view';
import { EInvoiceView } from './e-invoice.view';
import { RenditionView } from './rendition.view';

export const DOCUMENT_TYPE = apiEnum<DocumentType>('DocumentType', 'What a document is.', {
  invoice: 'an invoice',
  credit_note: 'a credit note, or a corrected invoice that reduces the amount',
  receipt: 'a receipt or till slip',
  bank_statement: 'an account statement',
  reminder: 'a payment reminder or dunning letter',
  delivery_note: 'a delivery note',
  order_confirmation: 'an order confirmation',
  contract: 'a contract',
  document: 'anything else, or not known',
});

const PAYMENT_STATUS = apiEnum<(typeof PAYMENT_STATUSES)[number]>(
  'PaymentStatus',
  'The payment status of a document.',
  {
    OPEN: 'nothing has been paid',
    PAID: 'paid in full',
    PARTIAL: 'paid in part',
  },
);

const amount = (description: string, example: string) => ({
  description: `${description}, a positive decimal string.`,
  example,
});
const day = (description: string, example: string) => ({ format: 'date', description, example });

@ApiSchema({ description: 'A company or person named in a document. Every key is optional.' })
export class PartyView implements Party {
  @ApiPropertyOptional({ description: 'Its name.', example: 'Muster GmbH' })
  name?: string;

  @ApiPropertyOptional({ description: 'Its VAT identification number.', example: 'DE123456789' })
  vat_id?: string;

  @ApiPropertyOptional({ description: 'Its tax number.', example: '12/345/67890' })
  tax_number?: string;

  @ApiPropertyOptional({ description: 'The IBAN of its account.', example: 'DE02120300000000202051' })
  iban?: string;

  @ApiPropertyOptional({ description: 'Its country, ISO 3166-1 alpha-2.', example: 'DE' })
  country?: string;

  @ApiPropertyOptional({ description: 'Its e-mail address.', example: 'billing@example.com' })
  email?: string;
}

@ApiSchema({
  name: 'DocumentPayment',
  description: 'The payment status and method of a document. Every key is optional.',
})
export class PaymentView {
  @ApiPropertyOptional({ ...PAYMENT_STATUS, description: 'The payment status.', example: 'OPEN' })
  status?: (typeof PAYMENT_STATUSES)[number];

  @ApiPropertyOptional({ description: 'The means of payment.', example: 'SEPA_CREDIT_TRANSFER' })
  method?: string;

  @ApiPropertyOptional(day('The day of the payment.', '2026-11-15'))
  date?: string;
}

@ApiSchema({
  name: 'DocumentMetadata',
  description: 'Metadata from the document and its source. Every key is optional, and nothing is guessed.',
})
export class MetadataView implements Metadata {
  @ApiPropertyOptional(day('The date of the document.', '2026-11-02'))
  date?: string;

  @ApiPropertyOptional(amount('The gross amount', '119.00'))
  amount?: string;

  @ApiPropertyOptional({ description: 'The currency of all amounts, ISO 4217.', example: 'EUR' })
  currency?: string;

  @ApiPropertyOptional({ description: 'The number of the document.', example: '4711' })
  number?: string;

  @ApiPropertyOptional(day('The due date.', '2026-11-16'))
  due_date?: string;

  @ApiPropertyOptional(amount('The net amount', '100.00'))
  amount_net?: string;

  @ApiPropertyOptional(amount('The tax', '19.00'))
  amount_tax?: string;

  @ApiPropertyOptional(amount('The amount due', '119.00'))
  amount_due?: string;

  @ApiPropertyOptional(day('The first day of the service.', '2026-10-01'))
  service_start?: string;

  @ApiPropertyOptional(day('The last day of the service.', '2026-10-31'))
  service_end?: string;

  @ApiPropertyOptional({ type: PartyView, description: 'The seller.' })
  supplier?: PartyView;

  @ApiPropertyOptional({ type: PartyView, description: 'The buyer.' })
  customer?: PartyView;

  @ApiPropertyOptional({ description: 'The number of the order.', example: 'PO-2026-17' })
  order_reference?: string;

  @ApiPropertyOptional({ description: 'The number of the invoice that this one corrects.', example: '4700' })
  preceding_invoice?: string;

  @ApiPropertyOptional({ type: PaymentView, description: 'The payment status and method.' })
  payment?: PaymentView;

  @ApiPropertyOptional({ type: EInvoiceView, description: 'Set when it is an electronic invoice.' })
  e_invoice?: EInvoiceView;

  @ApiPropertyOptional({
    type: Boolean,
    description:
      'True when it cannot be opened without a password or a key: an encrypted PDF, zip archive or mail. It is delivered unchanged; the other metadata of a PDF are filled if one of the passwords that the user has stored opens it. Absent otherwise.',
    example: true,
  })
  encrypted?: true;

  @ApiPropertyOptional({
    type: Boolean,
    description:
      'True when a PDF has no readable end, as after an incomplete transfer. It is delivered unchanged. Absent otherwise.',
    example: true,
  })
  damaged?: true;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 2,
    description:
      'The number of this version of a file, when the source states that a file with an `external_id` has changed and its content is another one. Absent for the first version that was fetched.',
    example: 2,
  })
  revision?: number;

  @ApiPropertyOptional({
    type: [RenditionView],
    description:
      'The other forms in which the invoice was received together with its document, so that one invoice is delivered once. Absent when there are none.',
  })
  renditions?: RenditionView[];

  @ApiPropertyOptional({
    type: [String],
    format: 'uuid',
    maxItems: 100,
    description:
      'Other transactions of the identity with the same invoice: equal number, date, gross amount, and VAT id or IBAN of the supplier. A transaction names all of them; the pushed or pulled document only those that were recorded before it, so that it stays the same. Absent when there are none.',
    example: ['019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5b'],
  })
  same_as?: readonly string[];

  @ApiPropertyOptional({ type: SourceView, description: 'Where it was found.' })
  source?: SourceView;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', enum: [...PROVENANCES] },
    description:
      'Where the value of each other key was found: `E_INVOICE` in the XML of an electronic invoice, `PROVIDER` in the answers of the provider, `MAIL` in the mail, `TEXT` in the text of a PDF (labelled, unambiguous and checked).',
    example: { number: 'TEXT', source: 'MAIL' },
  })
  provenance?: Metadata['provenance'];
}
