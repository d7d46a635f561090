import { getReadable, type Transaction } from '@docfetch/sdk';
import { useMutation } from '../../api/use-mutation';
import { useMessages } from '../../messages/use-messages';
import { useSession } from '../../session/session';
import { Action } from '../action';
import { ProblemNotice } from '../notice';

/** Long enough for a browser to load the page. */
const KEPT_MS = 60_000;

/** Whether people need a page to read a document: an e-invoice that is only XML. */
export function needsPage({ metadata, document }: Transaction): boolean {
  return metadata.e_invoice !== undefined && document.mime_type.endsWith('xml');
}

/** Opens an XML invoice as a page in another tab. The page contains no scripts and is subject to the policy of this one. */
export function ReadableButton({
  transaction: { transaction_uuid, document: file },
  describedBy,
}: {
  readonly transaction: Transaction;
  /** The element with the name of the document. */
  readonly describedBy: string;
}) {
  const { messages } = useMessages();
  const { client } = useSession();
  const { mutate, busy, problem } = useMutation();

  const open = async () => {
    const tab = window.open('', '_blank'); // only during the press, or browsers block it
    const read = await mutate(() => getReadable({ client, path: { transaction_uuid } }));
    if (!read) return tab?.close();
    const url = URL.createObjectURL(new Blob([read.data], { type: 'text/html' }));
    if (tab) tab.location.replace(url);
    else save(url, `${file.filename}.html`);
    setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
  };

  return (
    <span className="document-read">
      <Action variant="quiet" onPress={() => void open()} busy={busy} describedBy={describedBy}>
        {messages.documents.read}
      </Action>
      {problem ? <ProblemNotice problem={problem} /> : null}
    </span>
  );
}

/** Where pages may not open tabs, as in some frames. */
function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
