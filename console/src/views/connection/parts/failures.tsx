import { dismissFailure, type DocumentFailure, listFailures } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../../ui/src/api/use-mutation';
import { Action } from '../../../../../ui/src/components/action';
import { type FlashMessage, successMessage } from '../../../../../ui/src/components/flash-message';
import { Confirm } from '../../../components/confirm';
import { Moment } from '../../../components/moment';
import { List } from '../../../list/list';
import type { Column } from '../../../list/table';
import { useConsole } from '../../../session/console-session';
import { useConnectionViewMessages } from '../messages/use-connection-view-messages';

/** Documents that the source has and that cannot be fetched. */
export function Failures({
  uuid,
  onDone,
}: {
  readonly uuid: string;
  readonly onDone: (message: FlashMessage) => void;
}) {
  const messages = useConnectionViewMessages();
  const { client } = useConsole();
  const [asked, setAsked] = useState<DocumentFailure | null>(null);
  const [changes, setChanges] = useState(0);
  const mutation = useMutation();
  const dismiss = async ({ failure_uuid, filename }: DocumentFailure) => {
    const done = await mutation.mutate(() => dismissFailure({ client, path: { uuid, failure_uuid } }));
    if (!done) return;
    setAsked(null);
    setChanges(changes + 1);
    onDone(successMessage(messages.dismissed(filename)));
  };
  const columns: Column<DocumentFailure>[] = [
    {
      ...{ id: 'file', label: messages.file, isName: true },
      cell: ({ filename, external_id }) => (
        <>
          <span>{filename}</span>
          {external_id ? <code className="second">{external_id}</code> : null}
        </>
      ),
    },
    {
      ...{ id: 'why', label: messages.why },
      cell: ({ message, code }) => (
        <>
          <span>{message}</span>
          <code className="second">{code}</code>
        </>
      ),
    },
    { id: 'attempts', label: messages.attempts, align: 'end', cell: ({ attempts }) => attempts },
    { id: 'since', label: messages.since, cell: ({ since }) => <Moment at={since} /> },
    {
      ...{ id: 'dismiss', label: messages.dismiss, isAction: true },
      cell: (failure) => <Action onPress={() => setAsked(failure)}>{messages.dismiss}</Action>,
    },
  ];
  return (
    <>
      <List
        name={`failures ${uuid}`}
        changes={changes}
        caption={messages.failures}
        empty={messages.failuresEmpty}
        keyOf={({ failure_uuid }) => failure_uuid}
        load={(_, cursor) => listFailures({ client, path: { uuid }, query: { limit: 30, cursor } })}
        columns={columns}
      />
      <Confirm
        title={messages.dismissTitle(asked?.filename ?? '')}
        submit={messages.dismiss}
        open={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => asked && void dismiss(asked)}
        mutation={mutation}
      >
        <p>{messages.dismissText}</p>
      </Confirm>
    </>
  );
}
