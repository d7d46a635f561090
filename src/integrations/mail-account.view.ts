import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { apiEnum } from '../platform/openapi/api-enum';
import { FIELD_VALUE } from './core/views/field.view';
import type { FieldInput } from './core/validate-fields';

/** What the answer is based on. */
export type MailAccountSource = 'LIST' | 'MX' | 'AUTOCONFIG' | 'SRV' | 'GUESS' | 'NONE';

const SOURCE = apiEnum<MailAccountSource>('MailAccountSource', 'How an integration was found from an address.', {
  LIST: 'the domain of the address belongs to a known provider',
  MX: 'a known provider receives the mail of the domain',
  AUTOCONFIG: 'the domain has an autoconfig document that names its server',
  SRV: 'the domain has service records that name its server (RFC 6186)',
  GUESS: 'the server with the usual name (`imap.` and the domain) answers, with a valid certificate',
  NONE: 'nothing was found: the user has to enter the server',
});

@ApiSchema({ description: 'How a mailbox is connected.' })
export class MailAccountView {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The integration to connect the mailbox with; null if the token is limited to another one. It may be unavailable in this deployment: see `available`.',
    example: 'gmx',
  })
  integration_id: string | null;

  @ApiProperty({ ...SOURCE, description: 'What the answer is based on.', example: 'LIST' })
  source: MailAccountSource;

  @ApiProperty({
    type: 'object',
    additionalProperties: FIELD_VALUE,
    description: 'Input of the first setup step by field id. The rest is asked of the user.',
    example: { user: 'anna@gmx.de' },
  })
  fields: FieldInput;

  @ApiProperty({
    description:
      'Whether the user must confirm the server before entering a password: it is neither in the domain of the address nor that of a known provider.',
    example: false,
  })
  confirm_server: boolean;
}
