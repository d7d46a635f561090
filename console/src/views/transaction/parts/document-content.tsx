import { downloadDocument, getReadable, pullRendition, type Transaction } from '@docfetch/sdk';
import { useEffect, useState } from 'react';
import { useMutation } from '../../../../../ui/src/api/use-mutation';
import { Action } from '../../../../../ui/src/components/action';
import { needsPage } from '../../../../../ui/src/components/list/readable-button';
import { Notice, ProblemNotice } from '../../../../../ui/src/components/notice';
import { saveFile } from '../../../api/download';
import { Section } from '../../../components/page';
import { useConsole } from '../../../session/console-session';
import { useTransactionViewMessages } from '../messages/use-transaction-view-messages';

/** Long enough for a browser to load the page. */
const KEPT_MS = 60_000;

/** The document itself, loaded only on request. */
export function DocumentContent({ transaction }: { readonly transaction: Transaction }) {
  const messages = useTransactionViewMessages();
  const { client } = useConsole();
  const [saved, setSaved] = useState(false);
  const [pressed, setPressed] = useState('');
  const [blockedPage, setBlockedPage] = useObjectUrl();
  const { mutate, busy, problem } = useMutation();
  const { transaction_uuid, document: file, renditions } = transaction;
  const path = { transaction_uuid };
  const isDeleted = file.available_until !== null && Date.parse(file.available_until) < Date.now();

  const stateOf = (button: string) => (pressed === button ? { busy } : { disabled: busy });

  const download = async (button: string, load: () => Promise<Blob>, name: string) => {
    setPressed(button);
    setSaved(false);
    const loaded = await mutate(load);
    if (!loaded) return;
    saveFile(loaded.data, name);
    setSaved(true);
  };
  const document = async () => new Response((await downloadDocument({ client, path })).stream).blob();
  const rendition = (id: string) => async () =>
    await pullRendition({ client, path: { ...path, rendition_id: id }, parseAs: 'blob' });

  const read = async () => {
    setPressed('page');
    setSaved(false);
    setBlockedPage(null);
    const tab = window.open('', '_blank'); // only during the press, or browsers block it
    const page = await mutate(() => getReadable({ client, path }));
    if (!page) return tab?.close();
    const url = URL.createObjectURL(new Blob([page.data], { type: 'text/html' }));
    if (!tab) return setBlockedPage(url);
    tab.location.replace(url);
    setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
  };

  return (
    <Section title={messages.content}>
      <p className="help">{isDeleted ? messages.deleted : messages.contentText}</p>
      {isDeleted ? null : (
        <p className="actions">
          <Action {...stateOf('document')} onPress={() => void download('document', document, file.filename)}>
            {messages.download}
          </Action>
          {needsPage(transaction) ? (
            <Action {...stateOf('page')} onPress={() => void read()}>
              {messages.read}
            </Action>
          ) : null}
        </p>
      )}
      {!isDeleted && renditions.length > 0 ? (
        <>
          <h3>{messages.renditions}</h3>
          <ul className="actions">
            {renditions.map(({ rendition_id, filename }) => (
              <li key={rendition_id}>
                <Action
                  {...stateOf(rendition_id)}
                  onPress={() => void download(rendition_id, rendition(rendition_id), filename)}
                >
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
      <div role="status">
        {blockedPage ? (
          <Notice tone="warning">
            <p>{messages.blocked}</p>
            <p className="notice-actions">
              <a className="action plain" href={blockedPage} target="_blank" rel="noreferrer">
                {messages.open}
              </a>
            </p>
          </Notice>
        ) : null}
      </div>
      {problem ? <ProblemNotice problem={problem} /> : null}
    </Section>
  );
}

/** The address of a blob, which is released when another one replaces it. */
function useObjectUrl(): [string | null, (url: string | null) => void] {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => (url === null ? undefined : () => URL.revokeObjectURL(url)), [url]);
  return [url, setUrl];
}
