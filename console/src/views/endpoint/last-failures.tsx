import type { ConsoleFailedAttempt } from '@docfetch/sdk';
import { ConsoleLink } from '../../components/console-link';
import { Moment } from '../../components/moment';
import { Section } from '../../components/page';
import { Table } from '../../list/table';
import { hrefOf } from '../../route';
import { useEndpointMessages } from './messages/use-endpoint-messages';

export function LastFailures({ failures }: { readonly failures: readonly ConsoleFailedAttempt[] }) {
  const messages = useEndpointMessages();
  return (
    <Section title={messages.failures}>
      {failures.length === 0 ? (
        <p className="soft">{messages.noFailures}</p>
      ) : (
        <Table
          caption={messages.failures}
          rows={failures}
          keyOf={({ transaction_uuid: uuid, started_at: at }) => `${uuid} ${at}`}
          columns={[
            {
              ...{ id: 'answer', label: messages.answer, isName: true },
              cell: ({ status, error }) => (
                <>
                  <span>{status ?? messages.noAnswer}</span>
                  <span className="second">{error.message}</span>
                </>
              ),
            },
            { id: 'when', label: messages.when, cell: ({ started_at: at }) => <Moment at={at} /> },
            {
              ...{ id: 'document', label: messages.document },
              cell: ({ transaction_uuid: uuid }) => (
                <ConsoleLink href={hrefOf(`transactions/${uuid}`)}>{messages.open}</ConsoleLink>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}
