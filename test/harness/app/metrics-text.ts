/** One line of the text format: a metric, its labels and its value. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly MetricSample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)?\\})? ([Nn]a[Nn]|[+-]Inf|[+-]?[0-9.]+(?:e[+-]?[0-9]+)?)$`,
);
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * Parses Prometheus' text format 0.0.4 strictly: each metric has its help and type once and before its samples, each
 * series occurs once, histograms have ascending buckets that end in their count. Throws at the first invalid line.
 */
export function parseMetrics(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const families = new Map<string, { name: string; help: string; type: string; samples: MetricSample[] }>();
  const seen = new Set<string>();
  let help: { name: string; text: string } | null = null;
  let family: { name: string; help: string; type: string; samples: MetricSample[] } | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, helped, about] = new RegExp(`^# HELP (${NAME}) (.+)$`).exec(line) ?? [];
    if (helped !== undefined) {
      help = { name: helped, text: about! };
      continue;
    }
    const [, typed, type] = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary)$`).exec(line) ?? [];
    if (typed !== undefined) {
      if (help?.name !== typed || families.has(typed)) throw new Error(`"${line}" without its help, or twice`);
      family = { name: typed, help: help.text, type: type!, samples: [] };
      families.set(typed, family);
      continue;
    }
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`"${line}" is no sample`);
    if (!family || !SUFFIXES[family.type]!.some((suffix) => name === family!.name + suffix)) {
      throw new Error(`"${line}" does not follow its type`);
    }
    const series = `${name}{${labels
      .split(/,(?=[a-zA-Z_])/)
      .sort()
      .join()}}`;
    if (seen.has(series)) throw new Error(`${series} comes twice`);
    seen.add(series);
    family.samples.push({ name, labels: labelsOf(labels), value: Number(value!.replace('Inf', 'Infinity')) });
  }
  for (const { name, type, samples } of families.values()) if (type === 'histogram') checkHistogram(name, samples);
  return families;
}

function labelsOf(text: string): Record<string, string> {
  const found = text.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/g);
  return Object.fromEntries(
    [...found].map(([, name, value]) => [
      name!,
      value!.replace(/\\(["\\n])/g, (_, c: string) => (c === 'n' ? '\n' : c)),
    ]),
  );
}

function checkHistogram(name: string, samples: readonly MetricSample[]): void {
  const key = ({ le: _, ...labels }: Record<string, string>) => JSON.stringify(Object.entries(labels).sort());
  const counts = new Map(
    samples.filter((sample) => sample.name === `${name}_count`).map(({ labels, value }) => [key(labels), value]),
  );
  const last = new Map<string, { le: number; value: number }>();
  for (const { labels, value } of samples.filter((sample) => sample.name === `${name}_bucket`)) {
    const le = Number(labels.le!.replace('Inf', 'Infinity'));
    const before = last.get(key(labels));
    if (before && (le <= before.le || value < before.value)) throw new Error(`the buckets of ${name} do not rise`);
    last.set(key(labels), { le, value });
  }
  for (const [series, { le, value }] of last) {
    if (le !== Infinity || value !== counts.get(series))
      throw new Error(`the buckets of ${name} do not end in its count`);
  }
}

/** The sum of a metric's samples that have these labels. */
export function metricValue(
  families: ReadonlyMap<string, MetricFamily>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(count|sum|bucket)$/, ''));
  if (!family) throw new Error(`There is no metric ${name}.`);
  return family.samples
    .filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}
