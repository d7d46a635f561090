import { listEnvironments } from '@docfetch/sdk';
import { useState } from 'react';
import { Button, Input, Label, SearchField } from 'react-aria-components';
import { Action } from '../../../ui/src/components/action';
import { Cross, Search } from '../../../ui/src/components/icons';
import { Loading } from '../../../ui/src/components/loading';
import { ModalDialog } from '../../../ui/src/components/modal-dialog';
import { ProblemNotice } from '../../../ui/src/components/notice';
import { ConsoleLink } from '../components/console-link';
import { useData } from '../components/use-data';
import { useConsoleMessages } from '../messages/use-console-messages';
import { hrefOf, useAddress } from '../route';
import { useConsole } from '../session/console-session';

/** More are found by typing. */
const MAX_SHOWN = 20;

/** Chooses the environment that the views show; the address names it. */
export function EnvironmentSwitcher() {
  const { environment } = useConsoleMessages();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Action variant="quiet" onPress={() => setOpen(true)}>
        {environment.change}
      </Action>
      <ModalDialog title={environment.title} open={open} onClose={() => setOpen(false)}>
        <EnvironmentSearch onChoose={() => setOpen(false)} />
      </ModalDialog>
    </>
  );
}

function EnvironmentSearch({ onChoose }: { readonly onChoose: () => void }) {
  const messages = useConsoleMessages();
  const { client, environmentUuid } = useConsole();
  const { path } = useAddress();
  const [text, setText] = useState('');
  const { data, problem, reload } = useData(
    async () => (await listEnvironments({ client, query: { q: text.trim() || undefined, limit: MAX_SHOWN } })).data,
    `environments ${text}`,
  );
  // Objects of one environment do not exist in another one.
  const view = path[0] ?? '';
  return (
    <>
      <SearchField className="field search" value={text} onChange={setText} autoFocus>
        <Label className="label">{messages.environment.search}</Label>
        <div className="box">
          <Search />
          <Input className="input" />
          <Button className="box-button clear" aria-label={messages.list.clear}>
            <Cross />
          </Button>
        </div>
      </SearchField>
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {!data && !problem ? <Loading /> : null}
      <p role="status" className={data?.length === 0 ? 'help' : 'visually-hidden'}>
        {data?.length === 0 ? messages.environment.nothing : ''}
      </p>
      <ul
        className="choices"
        onClick={(event) => event.target instanceof Element && event.target.closest('a') && onChoose()}
      >
        {data?.map(({ environment_uuid, client_name, name, kind }) => (
          <li key={environment_uuid}>
            <ConsoleLink href={hrefOf(view, {}, environment_uuid)} className="choice">
              <span>
                {client_name} · {name}
              </span>
              <span className={kind === 'LIVE' ? 'tag strong' : 'tag'}>{messages.kind[kind]}</span>
              {environment_uuid === environmentUuid ? (
                <span className="soft">{messages.environment.current}</span>
              ) : null}
            </ConsoleLink>
          </li>
        ))}
      </ul>
      <p className="actions end">
        <Action variant="quiet" onPress={onChoose}>
          {messages.close}
        </Action>
      </p>
    </>
  );
}
