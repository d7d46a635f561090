import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ManagedEnvironmentView } from '../../identities/environments-api/environment.view';

@ApiSchema({
  name: 'CreatedEnvironment',
  description: 'A new environment with its first API key and its signing secret, which only this response contains.',
})
export class CreatedEnvironmentView extends ManagedEnvironmentView {
  @ApiProperty({
    description: 'Its first API key. It is not stored and not shown again.',
    example: 'df_live_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAx3Z',
  })
  api_key: string;

  @ApiProperty({
    description: 'The secret that signs messages and return URLs. It is not shown again.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  signing_secret: string;
}
