import { useId, useState } from 'react';
import { useInboxMessages } from '../messages/inbox/use-inbox-messages';
import { Action } from './action';
import { Breakable } from './breakable';

/** The address of a source that receives e-mails, with a button that copies it. */
export function InboxAddress({ address }: { address: string }) {
  const messages = useInboxMessages();
  const [copied, setCopied] = useState<boolean | null>(null);
  const id = useId();
  // Without the permission to write to the clipboard, the address can still be selected.
  const copy = async () => {
    const write = navigator.clipboard?.writeText(address) ?? Promise.reject(new Error('There is no clipboard.'));
    setCopied(await write.then(() => true).catch(() => false));
  };
  return (
    <section className="inbox-address" aria-labelledby={id}>
      <h2 id={id} className="group-title">
        {messages.title}
      </h2>
      <p className="about">{messages.text}</p>
      <p className="inbox-line">
        <code>
          <Breakable>{address}</Breakable>
        </code>
        <Action onPress={() => void copy()}>{messages.copy}</Action>
      </p>
      <p role="status" className={copied === false ? 'field-error' : 'help'}>
        {copied === null ? '' : copied ? messages.copied : messages.notCopied}
      </p>
    </section>
  );
}
