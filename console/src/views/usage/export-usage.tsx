import { exportUsage } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { saveFile } from '../../api/download';
import { useConsole } from '../../session/console-session';
import { useUsageMessages } from './messages/use-usage-messages';

interface Range {
  readonly from?: string;
  readonly to?: string;
}

/** Saves the usage as a file; the support team also that of all environments. */
export function ExportUsage({ query }: { readonly query: Range }) {
  const messages = useUsageMessages();
  const { role } = useConsole();
  return (
    <>
      <ExportButton query={query}>{messages.export}</ExportButton>
      {role === 'SUPPORT' ? (
        <ExportButton query={{ ...query, all_environments: 'true' }}>{messages.exportAll}</ExportButton>
      ) : null}
    </>
  );
}

function ExportButton({
  query,
  children,
}: {
  readonly query: Range & { readonly all_environments?: 'true' };
  readonly children: string;
}) {
  const { client } = useConsole();
  const messages = useUsageMessages();
  const { mutate, busy, problem } = useMutation();
  const [saved, setSaved] = useState('');
  const save = async () => {
    setSaved('');
    const file = await mutate(() => exportUsage({ client, query, parseAs: 'blob' }));
    const range = [query.from, query.to].filter(Boolean).join('-');
    if (!file) return;
    const name = range ? `usage-${range}.csv` : 'usage.csv';
    saveFile(file.data as unknown as Blob, name);
    setSaved(messages.saved(name));
  };
  return (
    <>
      <Action busy={busy} onPress={() => void save()}>
        {children}
      </Action>
      <span role="status" className={busy || saved ? 'help' : 'visually-hidden'}>
        {busy ? messages.exporting : saved}
      </span>
      {problem ? <ProblemNotice problem={problem} /> : null}
    </>
  );
}
