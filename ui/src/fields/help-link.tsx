import { External } from '../components/icons';
import { useMessages } from '../messages/use-messages';

/** Leads to the page of the provider that explains where to find a credential. The form stays open beside it. */
export function HelpLink({ url, label }: { url: string; label: string }) {
  const { messages } = useMessages();
  return (
    <p className="help-link">
      <a className="link wrapping" href={url} target="_blank" rel="noopener noreferrer">
        {messages.fields.find}&nbsp;
        <External />
        <span className="visually-hidden">
          {label} ({messages.fields.newTab})
        </span>
      </a>
    </p>
  );
}
