import type { MailAccount } from '@docfetch/sdk';
import { useState } from 'react';
import { useMailboxMessages } from '../../messages/mailbox/use-mailbox-messages';
import { navigate } from '../../route';
import { Connect, type KnownSetup } from '../connect';
import { AddressStep } from './address-step';
import { ANY_MAILBOX } from './any-mailbox';
import { ServerConfirmation } from './server-confirmation';
import { takeTypedAddress } from './typed-address';

/** The fields that are filled in, so that users need not see them. */
const SERVER_FIELDS = ['host', 'security'];
const ADDRESS_STEP = { view: 'mailbox', integration: null } as const;

/** A mailbox and how it is connected. */
export interface FoundMailbox {
  readonly address: string;
  readonly account: MailAccount & { readonly integration_id: string };
}

/**
 * Connects a mailbox by its address (decisions 5 "Mailboxes by address"): first the address alone, then the form of its provider, or
 * of the server that was found. A server of another company is confirmed before a password is asked for.
 */
export function Mailbox({ integration }: { integration: string | null }) {
  const texts = useMailboxMessages();
  const [typed] = useState(takeTypedAddress);
  const [found, setFound] = useState<FoundMailbox | null>(null);
  const known = found?.account.integration_id === integration ? found : null;

  const open = (mailbox: FoundMailbox | null) => {
    setFound(mailbox);
    navigate({ view: 'mailbox', integration: mailbox?.account.integration_id ?? ANY_MAILBOX });
  };
  if (integration === null)
    return (
      <AddressStep
        address={found?.address ?? typed ?? ''}
        startsAtOnce={found === null && typed !== null}
        onFound={open}
        onManual={() => open(null)}
      />
    );
  if (known?.account.confirm_server)
    return (
      <ServerConfirmation
        mailbox={known}
        back={ADDRESS_STEP}
        onAccept={() => setFound(confirmed(known))}
        onRefuse={() => setFound(withoutServer(known))}
      />
    );
  return <Connect key={integration} id={integration} known={knownSetup(known, texts)} />;
}

const confirmed = ({ address, account }: FoundMailbox): FoundMailbox => ({
  address,
  account: { ...account, confirm_server: false },
});

const withoutServer = ({ address, account }: FoundMailbox): FoundMailbox => ({
  address,
  account: { ...account, source: 'NONE', fields: { user: address }, confirm_server: false },
});

function knownSetup(mailbox: FoundMailbox | null, texts: ReturnType<typeof useMailboxMessages>): KnownSetup {
  if (!mailbox) return { fields: {}, folded: [], name: null, lead: () => texts.byHand, back: ADDRESS_STEP };
  const { address, account } = mailbox;
  const { host } = account.fields;
  const isServer = account.source !== 'NONE' && typeof host === 'string';
  return {
    fields: account.fields,
    folded: isServer ? SERVER_FIELDS : [],
    name: address,
    lead: (provider) =>
      account.source === 'NONE'
        ? texts.noServer(address)
        : isServer
          ? texts.server(address, host)
          : texts.provider(address, provider),
    back: ADDRESS_STEP,
  };
}
