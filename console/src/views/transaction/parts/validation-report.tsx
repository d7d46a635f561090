import { getValidation } from '@docfetch/sdk';
import { Loading } from '../../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../../ui/src/components/notice';
import { Badge } from '../../../components/badge';
import { Section } from '../../../components/page';
import { useData } from '../../../components/use-data';
import { Table } from '../../../list/table';
import { useConsole } from '../../../session/console-session';
import { useTransactionViewMessages } from '../messages/use-transaction-view-messages';

/** The rules that an e-invoice violates. */
export function ValidationReport({ uuid }: { readonly uuid: string }) {
  const messages = useTransactionViewMessages();
  const { client } = useConsole();
  const path = { transaction_uuid: uuid };
  const { data, problem, reload } = useData(
    async () => (await getValidation({ client, path })).data,
    `verdict ${uuid}`,
  );
  return (
    <Section title={messages.verdict}>
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {!data && !problem ? <Loading /> : null}
      {data ? (
        <>
          <p>
            <Badge tone={data.valid ? 'good' : 'bad'}>{data.valid ? messages.valid : messages.invalid}</Badge>{' '}
            <span className="soft">
              {messages.findings(data.errors, data.warnings)}.{' '}
              {messages.ruleset(data.ruleset.name, data.ruleset.version)}
            </span>
          </p>
          {data.findings.length > 0 ? (
            <Table
              caption={messages.verdict}
              rows={data.findings.map((finding, index) => ({ ...finding, key: String(index) }))}
              keyOf={({ key }) => key}
              columns={[
                {
                  ...{ id: 'rule', label: messages.rule, isName: true },
                  cell: ({ rule, severity }) => (
                    <>
                      <code>{rule}</code>{' '}
                      <Badge tone={severity === 'FATAL' ? 'bad' : 'wait'}>{messages.severity[severity]}</Badge>
                    </>
                  ),
                },
                { id: 'finding', label: messages.finding, cell: ({ message }) => <span>{message}</span> },
                {
                  ...{ id: 'where', label: messages.where },
                  cell: ({ term, path: place }) => (
                    <>
                      {term ? <span>{term}</span> : null}
                      <code className="second">{place}</code>
                    </>
                  ),
                },
              ]}
            />
          ) : null}
        </>
      ) : null}
    </Section>
  );
}
