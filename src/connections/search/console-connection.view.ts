import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import { IdentityView } from '../../identities/identity.view';
import { type Page, PageMeta } from '../../platform/errors/envelope';
import { ConnectionView } from '../state/views/connection.view';

@ApiSchema({ name: 'ConsoleConnectionIdentity', description: 'The identity of a connection.' })
export class ConnectionIdentityView extends PickType(IdentityView, [
  'identity_uuid',
  'client_identifier',
  'display_name',
] as const) {}

@ApiSchema({ name: 'ConsoleConnection', description: 'A connection with its identity and the reason for its state.' })
export class ConsoleConnectionView extends ConnectionView {
  @ApiProperty({ type: ConnectionIdentityView, description: 'The identity that it belongs to.' })
  identity: ConnectionIdentityView;

  @ApiProperty({
    description: 'The reason for its state, in one sentence in the language of the request.',
    example: 'The provider rejected the sign-in details. Please enter them again.',
  })
  explanation: string;
}

@ApiSchema({ name: 'ConsoleSearchMeta', description: 'The position of a page in the result of a search.' })
export class SearchMeta extends PageMeta {
  @ApiProperty({
    description: 'Whether the text matches more than a search considers: a longer text finds the others.',
    example: false,
  })
  readonly truncated: boolean;
}

/** A page of a search. */
export interface ConsoleConnectionPage extends Page<ConsoleConnectionView> {
  readonly meta: SearchMeta;
}
