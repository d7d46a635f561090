import type { Connection, ConnectionInformation, InformationField } from '@docfetch/sdk';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { ChevronDown } from '../parts/icons';
import { type Lang, LOCALES, sayDate, sayDay } from '../words/moments';
import type { Words } from '../words/en';
import { useWords } from '../words/use-words';

/** What was entered in both steps (spec 4.7), readable and without secrets. */
export function ConnectionSettings({
  information,
  connection,
}: {
  information: ConnectionInformation;
  connection: Connection;
}) {
  const { words, lang } = useWords();
  const { created_at: created, startdate, account } = connection;
  const fields = information.steps.flatMap((step) => step.fields).filter(({ id }) => id !== 'startdate');
  const rows: [string, string][] = [
    ...(account ? [[words.connection.account, account.display] as [string, string]] : []),
    ...fields.map((field): [string, string] => [field.label, shown(field, words.connection, lang)]),
    ...(startdate ? [[words.connection.startdate, sayDay(startdate, lang)] as [string, string]] : []),
    [words.connection.created, sayDate(created, lang)],
  ];
  return (
    <Disclosure className="disclosure">
      <Heading level={2}>
        <Button slot="trigger" className="disclosure-button">
          <ChevronDown /> {words.connection.settings}
        </Button>
      </Heading>
      <DisclosurePanel className="disclosure-panel">
        <dl className="facts">
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </DisclosurePanel>
    </Disclosure>
  );
}

function shown(
  { secret, value, display_value: display, type }: InformationField,
  words: Words['connection'],
  lang: Lang,
): string {
  if (secret) return words.secret;
  if (display) return display;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return new Intl.NumberFormat(LOCALES[lang], { useGrouping: false }).format(value);
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : words.noValue;
  if (typeof value === 'string' && value !== '') return type === 'date' ? sayDay(value, lang) : value;
  return words.noValue;
}
