import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { FieldSpec } from '../../../integrations/core/field';
import { FieldView, fieldView } from '../../../integrations/core/views/field.view';
import type { Connection } from '../connection.entity';
import { ConnectionView } from './connection.view';

@ApiSchema({ description: 'A created or updated connection, with the next step of its setup.' })
export class ConnectionSetupView extends ConnectionView {
  @ApiProperty({
    type: [FieldView],
    nullable: true,
    description: 'The fields of the second step; null if there is none, or if its fields are not known yet.',
  })
  step2_fields: FieldView[] | null;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description:
      "For OAuth integrations: the address to which the end user's browser must be sent for the authorization; valid for one hour. Null if no authorization is needed.",
    example: 'https://docfetch.example.com/oauth/start?link=u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  authorization_url: string | null;
}

/** Adds the next setup step to the connection's view. */
export function connectionSetupView(
  view: ConnectionView,
  connection: Connection,
  step2Fields: readonly FieldSpec[] | null,
  authorizationUrl: string | null = null,
): ConnectionSetupView {
  return {
    ...view,
    step2_fields: step2Fields?.map((field) => fieldView(field, connection.step2)) ?? null,
    authorization_url: authorizationUrl,
  };
}
