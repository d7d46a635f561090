import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AttemptView } from '../redelivery/attempt.view';
import { PushRequestView } from './request.view';

@ApiSchema({ name: 'ConsoleAttempt', description: 'One attempt to push a document, with its request and response.' })
export class InspectedAttemptView extends AttemptView {
  @ApiProperty({
    type: PushRequestView,
    nullable: true,
    description:
      'The request, rebuilt from the document as it is now, because requests are not stored: its metadata may have changed since. Null when nothing was sent.',
  })
  request: PushRequestView | null;
}
