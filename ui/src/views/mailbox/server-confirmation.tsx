import { Action } from '../../components/action';
import { Breakable } from '../../components/breakable';
import { Page } from '../../components/page';
import { Notice } from '../../components/notice';
import { useMailboxMessages } from '../../messages/mailbox/use-mailbox-messages';
import type { Route } from '../../route';
import type { FoundMailbox } from './mailbox';

interface ServerConfirmationProps {
  readonly mailbox: FoundMailbox;
  readonly back: Route;
  readonly onAccept: () => void;
  readonly onRefuse: () => void;
}

/** Asks whether a server outside the domain of the address is the right one, before the user types a password for it. */
export function ServerConfirmation({ mailbox, back, onAccept, onRefuse }: ServerConfirmationProps) {
  const { confirm } = useMailboxMessages();
  const { address, account } = mailbox;
  return (
    <Page
      title={confirm.title}
      lead={
        <p>
          <Breakable>{address}</Breakable>
        </p>
      }
      back={back}
    >
      <p>
        <Breakable>{confirm.text(address.slice(address.lastIndexOf('@') + 1))}</Breakable>
      </p>
      <p className="server-name">
        <code>
          <Breakable>{String(account.fields['host'])}</Breakable>
        </code>
      </p>
      <Notice tone="warning">
        <p>{confirm.warning}</p>
      </Notice>
      <div className="actions">
        <Action variant="primary" onPress={onAccept}>
          {confirm.accept}
        </Action>
        <Action onPress={onRefuse}>{confirm.refuse}</Action>
      </div>
    </Page>
  );
}
