import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const DEPLOY = join(__dirname, '../../../docs/deploy');

export const RULE_FILES = ['alerts', 'slo'].map((name) => join(DEPLOY, `prometheus/${name}.yaml`));
export const RULE_TESTS = join(DEPLOY, 'prometheus/tests.yaml');
export const SCRAPE_CONFIG = join(DEPLOY, 'prometheus/scrape.yaml');

export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
}

export const readRules = (): Rule[] =>
  RULE_FILES.flatMap((file) => {
    const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
    return groups.flatMap(({ rules }) => rules);
  });

/** The alerts that have a unit test which raises them, and those that have one which does not. */
export function testedAlerts(): { readonly raised: Set<string>; readonly notRaised: Set<string> } {
  interface Test {
    readonly alert_rule_test?: { readonly alertname: string; readonly exp_alerts: unknown[] }[];
  }
  const { tests } = parse(readFileSync(RULE_TESTS, 'utf8')) as { tests: Test[] };
  const cases = tests.flatMap(({ alert_rule_test = [] }) => alert_rule_test);
  const named = (isRaised: boolean) =>
    new Set(cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === isRaised).map(({ alertname }) => alertname));
  return { raised: named(true), notRaised: named(false) };
}

/** The queries of the dashboard, with values instead of Grafana's variables. */
export function dashboardQueries(): string[] {
  const { panels, templating } = JSON.parse(readFileSync(join(DEPLOY, 'grafana/docfetch.json'), 'utf8')) as Dashboard;
  const variables = templating.list.flatMap(
    ({ definition }) => /^label_values\((.+), \w+\)$/.exec(definition ?? '')?.[1] ?? [],
  );
  return [...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)), ...variables].map((query) =>
    query.replaceAll('$__rate_interval', '5m').replaceAll('$integration', '.*'),
  );
}

/** A metric of the service in a query, with the labels by which series are selected. */
export interface Selector {
  readonly text: string;
  readonly name: string;
  /** The name under which the metric is registered. */
  readonly metric: string;
  readonly labels: readonly string[];
}

export function selectorsOf(query: string): Selector[] {
  const found = query.matchAll(/\b((?:docfetch|nodejs|process)_[a-z0-9_]+)(\{[^}]*\})?/g);
  return [...found].map(([, name, labels = '']) => ({
    text: `${name}${labels}`,
    name: name!,
    metric: name!.replace(/(_seconds)_(bucket|count|sum)$/, '$1'),
    labels: [...labels.matchAll(/([a-z_]+)\s*[=!]~?"/g)].map(([, label]) => label!),
  }));
}

/** The recorded series in a query. */
export const recordedSeriesOf = (query: string): string[] => query.match(/\bdocfetch:[a-z0-9_:]+/g) ?? [];
