import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { FILTER_REASONS, type FilteredBy, type FilterReason } from '../../integrations/core/filter-reason';

/** Why documents are not fetched (decisions 4). */
const REASONS: Readonly<Record<FilterReason, string>> = {
  TYPE: 'Files of a type that is not selected, or that is never a document, such as signatures.',
  INLINE_IMAGE: 'Images that belong to the text of their mail, such as logos.',
  BEFORE_STARTDATE: 'Older than the start date.',
  PATTERN: 'Excluded by a pattern for file names, or by the filters for senders and subjects.',
  FOLDER: 'In folders that are not selected.',
  EMPTY: 'Empty files.',
  PARTIAL_UPLOAD: 'Files that are still being uploaded, by their name or because they are changing.',
  SYSTEM_FILE: 'Temporary files of programs and files of operating systems, such as `~$x.docx` and `Thumbs.db`.',
  ATTACHED_MAIL: 'Mails that are attached to a mail and contain no attachments.',
  LINK: 'Attachments that are links to files elsewhere.',
  MALWARE: 'Files that the provider has classified as malware.',
  UNREADABLE:
    'Parts that are nested too deeply, objects in Outlook formats that are no files, and files of unknown type that cannot be read.',
  DISMISSED: 'Unchanged documents whose failure was dismissed.',
};

@ApiSchema({
  description:
    'The documents of `counts.filtered` by reason. Reasons without documents are absent; further reasons may be added.',
})
export class FilteredByView implements FilteredBy {
  readonly [reason: string]: number;
}
for (const reason of FILTER_REASONS) {
  const options = { type: 'integer' as const, minimum: 1, required: false, description: REASONS[reason] };
  ApiProperty({ ...options, example: 1 })(FilteredByView.prototype, reason);
}
