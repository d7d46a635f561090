import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, ValidateIf } from 'class-validator';
import { IsRfc3339 } from '../../platform/http/input/rfc3339';

/** An omitted member means "unchanged"; null is invalid. */
export const IfPresent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** A change that is rejected when the settings were changed since they were read. */
export class ExpectedVersionDto {
  @ApiProperty({
    format: 'date-time',
    description:
      'The `updated_at` of the settings that the change is based on. If they were changed since, the response is 409 `ENVIRONMENT_CHANGED`.',
    example: '2026-11-20T08:30:00.000Z',
  })
  @IsNotEmpty()
  @IsRfc3339()
  expected_updated_at: string;
}
