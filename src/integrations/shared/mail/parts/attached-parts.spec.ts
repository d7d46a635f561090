import fc from 'fast-check';
import { totalFiltered } from '../../../core/filter-reason';
import type { AttachmentChoice } from './kinds/attachment-choice';
import type { MailNode } from './mail-node';
import { attachedParts } from './parts';

const TYPES = [
  ...['text/plain', 'text/html', 'text/calendar', 'text/csv', 'text/xml', 'text/x-amp-html'],
  ...['image/png', 'image/svg+xml', 'application/pdf', 'application/octet-stream', 'application/zip', 'video/mp4'],
  ...['application/pkcs7-signature', 'application/pkcs7-mime', 'application/pgp-encrypted', 'application/ms-tnef'],
  ...['application/vnd.ms-excel', 'message/delivery-status', 'application/vnd.ms-outlook'],
];
const NAMES = [
  'a.pdf',
  'logo.png',
  'a.docx',
  'Liste.csv',
  'notes.txt',
  'smime.p7s',
  'invite.ics',
  'data.bin',
  'x',
  ' ',
];

const leaf: fc.Arbitrary<MailNode> = fc.record(
  {
    type: fc.constantFrom(...TYPES),
    disposition: fc.constantFrom('attachment', 'inline'),
    dispositionParameters: fc.constantFrom(...NAMES).map((filename) => ({ filename })),
    id: fc.constant('<1@x>'),
    size: fc.constantFrom(10, 100_000),
  },
  { requiredKeys: ['type'] },
);
const { tree } = fc.letrec<{ tree: MailNode; multipart: MailNode; mail: MailNode }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, tie('multipart'), tie('mail')),
  multipart: fc.record({
    type: fc.constantFrom('mixed', 'alternative', 'related', 'signed', 'report').map((kind) => `multipart/${kind}`),
    childNodes: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
  }),
  mail: fc.record({ type: fc.constant('message/rfc822'), childNodes: fc.tuple(tie('tree')) }),
}));

/** The number of leaves of a tree without the texts of its mails: unnamed, not attached, and plain, HTML or one of several forms. */
function attachmentsIn(node: MailNode, within = ''): number {
  if (node.childNodes?.length) {
    const around = node.type === 'message/rfc822' ? '' : node.type;
    return node.childNodes.reduce((sum, child) => sum + attachmentsIn(child, around), 0);
  }
  const isNamed = (node.dispositionParameters?.['filename'] ?? '').trim() !== '';
  if (node.disposition === 'attachment' || isNamed) return 1;
  const isForm = within === 'multipart/alternative' && node.type.startsWith('text/') && node.type !== 'text/calendar';
  return isForm || ['text/plain', 'text/html'].includes(node.type) ? 0 : 1;
}

describe('attachedParts', () => {
  it.each<AttachmentChoice>(['documents', 'office', 'all'])(
    'takes or counts every leaf of a mail once, except its text (%s)',
    (choice) => {
      fc.assert(
        fc.property(tree, (structure) => {
          const { parts, filteredBy } = attachedParts(structure, choice);
          expect(new Set(parts.map(({ section }) => section)).size).toBe(parts.length);
          expect(parts.length + totalFiltered(filteredBy)).toBe(attachmentsIn(structure));
        }),
      );
    },
  );
});
