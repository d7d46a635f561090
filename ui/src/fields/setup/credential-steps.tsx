import { Breakable } from '../../components/breakable';
import { External } from '../../components/icons';
import { useMailboxMessages } from '../../messages/mailbox/use-mailbox-messages';
import { useMessages } from '../../messages/use-messages';

interface CredentialStepsProps {
  readonly name: string;
  readonly steps: readonly string[];
  readonly url: string | null;
}

/** What the user does at the provider before the form can be filled in. The page of the provider opens beside it. */
export function CredentialSteps({ name, steps, url }: CredentialStepsProps) {
  const { messages } = useMessages();
  const { steps: texts } = useMailboxMessages();
  return (
    <section className="credential-steps" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <ol>
        {steps.map((step) => (
          <li key={step}>
            <Breakable>{step}</Breakable>
          </li>
        ))}
      </ol>
      {url ? (
        <p>
          <a className="link wrapping" href={url} target="_blank" rel="noopener noreferrer">
            {texts.open(name)}&nbsp;
            <External />
            <span className="visually-hidden"> ({messages.fields.newTab})</span>
          </a>
        </p>
      ) : null}
    </section>
  );
}
