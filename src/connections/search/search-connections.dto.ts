import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { CONNECTION_STATUSES, type ConnectionStatus } from '../../identities/connection-status';
import { IsPlainText } from '../../platform/http/input/is-plain-text';
import { PageQuery } from '../../platform/http/input/page';
import { type Health, HEALTHS } from '../state/connection-state';
import { CONNECTION_HEALTH, CONNECTION_STATUS } from '../state/views/connection-status.view';

export class SearchConnectionsQuery extends PageQuery {
  @ApiPropertyOptional({
    maxLength: 200,
    description:
      'The beginning of words of the connection’s name or account, or of its identity’s `client_identifier` or `display_name`; or the uuid of the connection or of its identity. Upper and lower case and punctuation make no difference.',
    example: 'muster gm',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  @IsPlainText()
  q?: string;

  @ApiPropertyOptional({ ...CONNECTION_STATUS, description: 'Only with this status.', example: 'ACTIVE' })
  @IsOptional()
  @IsIn(CONNECTION_STATUSES)
  status?: ConnectionStatus;

  @ApiPropertyOptional({ ...CONNECTION_HEALTH, description: 'Only with this health.', example: 'ACTION_REQUIRED' })
  @IsOptional()
  @IsIn(HEALTHS)
  health?: Health;

  @ApiPropertyOptional({ maxLength: 64, description: 'Only of this integration.', example: 'imap' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  @IsPlainText()
  integration_id?: string;
}
