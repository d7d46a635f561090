import { type ApiKey, revokeApiKey } from '@docfetch/sdk';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Confirm } from '../../components/confirm';
import { Moment } from '../../components/moment';
import { useConsole } from '../../session/console-session';
import { useKeyMessages } from './messages/use-key-messages';
import { nameOfKey } from './name-of-key';

export function RevokeKey({
  apiKey,
  onClose,
  onRevoked,
}: {
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
  readonly onRevoked: (name: string) => void;
}) {
  const messages = useKeyMessages();
  const { client } = useConsole();
  const mutation = useMutation();
  const name = apiKey ? nameOfKey(apiKey) : '';
  const revoke = async () => {
    const path = { key_uuid: apiKey!.key_uuid };
    if (await mutation.mutate(() => revokeApiKey({ client, path }))) onRevoked(name);
  };
  return (
    <Confirm
      title={messages.revokeTitle(name)}
      submit={messages.revoke}
      danger
      open={apiKey !== null}
      onClose={onClose}
      onConfirm={() => void revoke()}
      mutation={mutation}
    >
      <ul className="consequences">
        {messages.revokeText.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {apiKey?.last_used_at ? (
        <p>
          {messages.revokeUsed} <Moment at={apiKey.last_used_at} inline />
        </p>
      ) : null}
    </Confirm>
  );
}
