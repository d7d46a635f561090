import { type Integration, listConnections } from '@docfetch/sdk';
import { useState } from 'react';
import { Button, Input, SearchField, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { integrations } from '../api/integrations';
import { useLoad } from '../api/use-load';
import { ChevronRight, Cross, Search } from '../parts/icons';
import { Loading } from '../parts/loading';
import { Logo } from '../parts/logo';
import { ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { go } from '../route';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';

const CATEGORIES = ['MAILBOX', 'CLOUD_STORAGE', 'ACCOUNTING', 'PORTAL'] as const;
/** Below this one sees everything at a glance. */
const SEARCH_FROM = 7;

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** What can be connected: searched by name, filtered by kind, the ones in use first. */
export function Choose() {
  const { words, lang } = useWords();
  const { client } = useSession();
  const [query, setQuery] = useState('');
  const [category, setCategory] = useState<string>('ALL');
  const { data, problem, reload } = useLoad(async () => {
    const [catalogue, list] = await Promise.all([integrations(client), listConnections({ client })]);
    const used = new Set(list.data.map((connection) => connection.integration_id));
    return { catalogue, used };
  }, lang);
  const back = { view: 'home' } as const;
  if (problem)
    return (
      <Page title={words.choose.title} back={back}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data) return <Loading />;
  const found = data.catalogue.filter(
    (integration) =>
      (category === 'ALL' || integration.category === category) &&
      plain(`${integration.name} ${integration.integration_id}`).includes(plain(query.trim())),
  );
  const searching = query.trim() !== '' || category !== 'ALL';
  const recent = searching
    ? []
    : found.filter(({ integration_id, available }) => available && data.used.has(integration_id));
  const others = found
    .filter((integration) => !recent.includes(integration))
    .sort((one, other) => Number(other.available) - Number(one.available));
  const kinds = CATEGORIES.filter((kind) => data.catalogue.some((integration) => integration.category === kind));
  return (
    <Page title={words.choose.title} back={back}>
      <div className="choose-tools">
        {data.catalogue.length >= SEARCH_FROM ? (
          <SearchField className="field search" aria-label={words.choose.search} value={query} onChange={setQuery}>
            <div className="box">
              <Search />
              <Input className="input" placeholder={words.choose.searchPlaceholder} />
              <Button className="box-button clear" aria-label={words.choose.clear}>
                <Cross />
              </Button>
            </div>
          </SearchField>
        ) : null}
        {kinds.length > 1 ? (
          <ToggleButtonGroup
            className="kinds"
            aria-label={words.choose.kinds}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[category]}
            onSelectionChange={(keys) => setCategory(String([...keys][0] ?? 'ALL'))}
          >
            <ToggleButton className="kind" id="ALL">
              {words.choose.all}
            </ToggleButton>
            {kinds.map((kind) => (
              <ToggleButton className="kind" key={kind} id={kind}>
                {words.choose.category[kind]}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        ) : null}
      </div>
      <p role="status" className="visually-hidden">
        {searching ? words.choose.results(found.length) : ''}
      </p>
      {found.length === 0 ? (
        <div className="nothing">
          <p>{words.choose.nothing(query)}</p>
          <p className="help">{words.choose.nothingHint}</p>
        </div>
      ) : null}
      <Group title={recent.length > 0 ? words.choose.recent : null} list={recent} />
      <Group title={recent.length > 0 ? words.choose.others : null} list={others} />
    </Page>
  );
}

function Group({ title, list }: { title: string | null; list: readonly Integration[] }) {
  const { words } = useWords();
  if (list.length === 0) return null;
  return (
    <section>
      {title ? <h2 className="group-title">{title}</h2> : null}
      <ul className="tiles">
        {list.map((integration) => (
          <li key={integration.integration_id}>
            <Button
              className="tile"
              isDisabled={!integration.available}
              onPress={() => go({ view: 'connect', integration: integration.integration_id })}
            >
              <Logo url={integration.logo_url} />
              <span className="tile-text">
                <span className="tile-name">{integration.name}</span>
                <span className="about">
                  {integration.available ? words.choose.category[integration.category] : words.choose.unavailable}
                </span>
              </span>
              {integration.available ? <ChevronRight /> : null}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
