import { Action } from '../../../ui/src/components/action';
import { ConsoleLink } from '../components/console-link';
import { Page } from '../components/page';
import { useConsoleMessages } from '../messages/use-console-messages';
import { hrefOf } from '../route';

export function NotFound() {
  const { notFound } = useConsoleMessages();
  return (
    <Page title={notFound.title} lead={<p>{notFound.text}</p>}>
      <HomeLink />
    </Page>
  );
}

export function SupportOnly() {
  const { notFound } = useConsoleMessages();
  return (
    <Page title={notFound.supportOnly} lead={<p>{notFound.supportOnlyText}</p>}>
      <HomeLink />
    </Page>
  );
}

export function Crashed() {
  const { notFound } = useConsoleMessages();
  return (
    <Page title={notFound.crashed} lead={<p>{notFound.crashedText}</p>}>
      <p className="actions">
        <Action variant="primary" onPress={() => location.reload()}>
          {notFound.reload}
        </Action>
      </p>
    </Page>
  );
}

function HomeLink() {
  const { notFound } = useConsoleMessages();
  return (
    <p className="actions">
      <ConsoleLink href={hrefOf('')} variant="primary">
        {notFound.home}
      </ConsoleLink>
    </p>
  );
}
