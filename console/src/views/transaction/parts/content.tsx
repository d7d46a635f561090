import { downloadDocument, getReadable, pullRendition, type Transaction } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../../ui/src/api/use-mutation';
import { Action } from '../../../../../ui/src/components/action';
import { needsPage } from '../../../../../ui/src/components/list/readable-button';
import { ProblemNotice } from '../../../../../ui/src/components/notice';
import { Section } from '../../../components/page';
import { useConsole } from '../../../session/console-session';
import { useTransactionViewMessages } from '../messages/use-transaction-view-messages';

/** Long enough for a browser to load the page. */
const KEPT_MS = 60_000;

/** The document itself: loaded when somebody asks for it, never before. */
export function Content({ transaction }: { readonly transaction: Transaction }) {
  const messages = useTransactionViewMessages();
  const { client } = useConsole();
  const [saved, setSaved] = useState(false);
  const { mutate, busy, problem } = useMutation();
  const { transaction_uuid, document: file, renditions } = transaction;
  const path = { transaction_uuid };
  const isDeleted = file.available_until !== null && Date.parse(file.available_until) < Date.now();

  const download = async (load: () => Promise<Blob>, name: string) => {
    setSaved(false);
    const loaded = await mutate(load);
    if (!loaded) return;
    save(loaded.data, name);
    setSaved(true);
  };
  const document = async () => new Response((await downloadDocument({ client, path })).stream).blob();
  const rendition = (id: string) => async () =>
    await pullRendition({ client, path: { ...path, rendition_id: id }, parseAs: 'blob' });

  const read = async () => {
    const tab = window.open('', '_blank'); // only during the press, or browsers block it
    const page = await mutate(() => getReadable({ client, path }));
    if (!page) return tab?.close();
    const url = URL.createObjectURL(new Blob([page.data], { type: 'text/html' }));
    tab?.location.replace(url);
    setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
  };

  return (
    <Section title={messages.content}>
      <p className="help">{isDeleted ? messages.deleted : messages.contentText}</p>
      {isDeleted ? null : (
        <p className="actions">
          <Action busy={busy} onPress={() => void download(document, file.filename)}>
            {messages.download}
          </Action>
          {needsPage(transaction) ? (
            <Action busy={busy} onPress={() => void read()}>
              {messages.read}
            </Action>
          ) : null}
        </p>
      )}
      {renditions.length > 0 ? (
        <>
          <h3>{messages.renditions}</h3>
          <ul className="actions">
            {renditions.map(({ rendition_id, filename }) => (
              <li key={rendition_id}>
                <Action busy={busy} onPress={() => void download(rendition(rendition_id), filename)}>
                  {messages.renditionDownload(filename)}
                </Action>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <p role="status" className="help">
        {saved ? messages.saved : ''}
      </p>
      {problem ? <ProblemNotice problem={problem} /> : null}
    </Section>
  );
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
