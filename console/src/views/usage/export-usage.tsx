import { exportUsage } from '@docfetch/sdk';
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
  const { mutate, busy, problem } = useMutation();
  const save = async () => {
    const file = await mutate(() => exportUsage({ client, query, parseAs: 'blob' }));
    const range = [query.from, query.to].filter(Boolean).join('-');
    if (file) saveFile(file.data as unknown as Blob, range ? `usage-${range}.csv` : 'usage.csv');
  };
  return (
    <>
      <Action busy={busy} onPress={() => void save()}>
        {children}
      </Action>
      {problem ? <ProblemNotice problem={problem} /> : null}
    </>
  );
}
