import type { Transaction } from '@docfetch/sdk';
import { Breakable } from '../../../../../ui/src/components/breakable';
import { Section } from '../../../components/page';
import { Table } from '../../../list/table';
import { useTransactionViewMessages } from '../messages/use-transaction-view-messages';

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly provenance: string | undefined;
}

/** These have a place of their own in the view. */
const ELSEWHERE = ['provenance', 'renditions', 'same_as'];

/** The order of an invoice; others follow. */
const ORDER = [
  ...['number', 'date', 'due_date', 'service_start', 'service_end', 'amount', 'amount_net', 'amount_tax', 'amount_due'],
  ...['currency', 'payment', 'supplier', 'customer', 'order_reference', 'preceding_invoice', 'e_invoice', 'source'],
];
const placeOf = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);

/** Every value with the place where it was found, by the names of the API. */
export function Metadata({ transaction: { metadata } }: { readonly transaction: Transaction }) {
  const messages = useTransactionViewMessages();
  const provenance: Readonly<Record<string, string | undefined>> = metadata.provenance ?? {};
  const entries: Entry[] = Object.entries(metadata)
    .filter(([key]) => !ELSEWHERE.includes(key))
    .sort(([one], [other]) => placeOf(one) - placeOf(other))
    .flatMap(([key, value]) =>
      flatten(key, value).map(([name, text]) => ({ key: name, value: text, provenance: provenance[key] })),
    );
  const places: Readonly<Record<string, string>> = messages.provenances;
  return (
    <Section title={messages.metadata}>
      {entries.length === 0 ? <p className="help">{messages.metadataEmpty}</p> : null}
      {entries.length > 0 ? (
        <Table
          caption={messages.metadata}
          rows={entries}
          keyOf={({ key }) => key}
          columns={[
            { id: 'key', label: messages.key, isName: true, cell: ({ key }) => <code>{key}</code> },
            { id: 'value', label: messages.value, cell: ({ value }) => <Breakable>{value}</Breakable> },
            {
              ...{ id: 'provenance', label: messages.provenance },
              cell: (entry) => (entry.provenance ? (places[entry.provenance] ?? entry.provenance) : null),
            },
          ]}
        />
      ) : null}
    </Section>
  );
}

/** `supplier.name` for the members of an object. */
function flatten(key: string, value: unknown): [key: string, text: string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return [[key, value.map(textOf).join(', ')]];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([name, each]) => flatten(`${key}.${name}`, each));
  return [[key, textOf(value)]];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
