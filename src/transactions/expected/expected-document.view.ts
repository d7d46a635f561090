import { ApiProperty, ApiSchema } from '@nestjs/swagger';

const DAY = { format: 'date', example: '2026-11-14' } as const;
const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' } as const;
const TEXT = { type: String, nullable: true } as const;

@ApiSchema({ name: 'ConsoleExpectedSupplier', description: 'The supplier of an expected invoice.' })
export class ExpectedSupplierView {
  @ApiProperty({ ...TEXT, description: 'Its name.', example: 'Stadtwerke Musterstadt' })
  name: string | null;

  @ApiProperty({ ...TEXT, description: 'Its VAT id.', example: 'DE123456789' })
  vat_id: string | null;

  @ApiProperty({ ...TEXT, description: 'Its IBAN.', example: null })
  iban: string | null;
}

@ApiSchema({ name: 'ConsoleExpectedDocument', description: 'A missing monthly invoice.' })
export class ExpectedDocumentView {
  @ApiProperty({ ...UUID, description: 'The event `document.expected_missing`.' })
  event_uuid: string;

  @ApiProperty({ ...UUID, description: 'The connection from which the last invoice came.' })
  connection_uuid: string;

  @ApiProperty({ description: 'Its name.', example: 'Invoices mailbox' })
  connection_name: string;

  @ApiProperty({ type: ExpectedSupplierView, description: 'The supplier.' })
  supplier: ExpectedSupplierView;

  @ApiProperty({
    type: [String],
    items: { type: 'string', format: 'date' },
    description: 'The dates of its latest invoices, the oldest first.',
    example: ['2026-07-01', '2026-08-01', '2026-09-01', '2026-10-01'],
  })
  last_dates: readonly string[];

  @ApiProperty({ ...DAY, description: 'The last day on which the next one would have been in time.' })
  expected_by: string;

  @ApiProperty({ format: 'date-time', description: 'When it was missed.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;
}
