import type { Connection, ConnectionInformation, InformationField } from '@docfetch/sdk';
import { Breakable } from '../../components/breakable';
import { Expandable } from '../../components/expandable';
import { type Lang, LOCALES, formatDate, formatDay } from '../../messages/date-format';
import type { Messages } from '../../messages/en';
import { useMessages } from '../../messages/use-messages';

/** The input of both steps in readable form, without secrets (spec 4.7). */
export function ConnectionSettings({
  information,
  connection,
}: {
  information: ConnectionInformation;
  connection: Connection;
}) {
  const { messages, lang } = useMessages();
  const { created_at: created, startdate, account } = connection;
  const fields = information.steps.flatMap((step) => step.fields).filter(({ id }) => id !== 'startdate');
  const input = fields.map((field): [string, string] => [
    field.label,
    displayedValue(field, messages.connection, lang),
  ]);
  const isInput = input.some(([, value]) => value === account?.display);
  const rows: [string, string][] = [
    ...(account && !isInput ? [[messages.connection.account, account.display] as [string, string]] : []),
    ...input,
    ...(startdate ? [[messages.connection.startdate, formatDay(startdate, lang)] as [string, string]] : []),
    [messages.connection.created, formatDate(created, lang)],
  ];
  return (
    <Expandable className="disclosure" title={messages.connection.settings} isHeading>
      <dl className="settings-list">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>
              <Breakable>{label}</Breakable>
            </dt>
            <dd>
              <Breakable>{value}</Breakable>
            </dd>
          </div>
        ))}
      </dl>
    </Expandable>
  );
}

function displayedValue(
  { secret, value, display_value: display, type }: InformationField,
  messages: Messages['connection'],
  lang: Lang,
): string {
  if (secret) return messages.secret;
  if (display) return display;
  if (typeof value === 'boolean') return value ? messages.yes : messages.no;
  if (typeof value === 'number') return new Intl.NumberFormat(LOCALES[lang], { useGrouping: false }).format(value);
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : messages.noValue;
  if (typeof value === 'string' && value !== '') return type === 'date' ? formatDay(value, lang) : value;
  return messages.noValue;
}
