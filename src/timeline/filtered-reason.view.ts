import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { FILTER_REASONS, type FilteredBy, type FilterReason } from '../integrations/core/filter-reason';
import { translate } from '../platform/errors/translate';

@ApiSchema({ name: 'FilteredReason', description: 'Documents that a fetch left out for the same reason.' })
export class FilteredReasonView {
  @ApiProperty({
    description:
      'A member of `filtered_by` of the fetch, where the reasons are described; further reasons may be added.',
    example: 'INLINE_IMAGE',
  })
  reason: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'The number of documents.', example: 2 })
  count: number;

  @ApiProperty({
    description: 'In the language of the request; safe to show to the user.',
    example: '2 images belong to the text of e-mails, such as logos.',
  })
  message: string;
}

/** The reasons why documents were left out, the most frequent first. */
export function filteredReasonViews(filteredBy: FilteredBy): FilteredReasonView[] {
  const reasons = Object.entries(filteredBy).filter(([reason]) => isReason(reason));
  return reasons
    .map(([reason, count]) => ({ reason, count, message: translate(`timeline.filtered.${reason}`, { count }) }))
    .sort((one, other) => other.count - one.count);
}

const isReason = (reason: string): reason is FilterReason => FILTER_REASONS.some((known) => known === reason);
