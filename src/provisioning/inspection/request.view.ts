import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'ConsolePushRequest', description: 'A request to the endpoint, without secrets and content.' })
export class PushRequestView {
  @ApiProperty({ description: 'The method.', example: 'POST' })
  method: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The URL, with `***` as the value of `token`; null when the endpoint has been changed since.',
    example: 'https://api.example.com/documents',
  })
  url: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The headers, with `***` in place of signatures and credentials.',
    example: { 'content-type': 'application/json', 'webhook-signature': 'v1,***' },
  })
  headers: Readonly<Record<string, string>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The body, with `***` in place of the content.',
    example: { client_identifier: 'customer-4711', document: { base64: '***', filename: 'invoice-4711.pdf' } },
  })
  body: object;
}
