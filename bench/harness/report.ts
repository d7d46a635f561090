import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

const FILE = join(process.cwd(), 'bench', 'RESULTS.md');
const INTRODUCTION =
  '# Benchmark results\n\nWritten by `npm run bench`; running a benchmark again replaces its section.\n';

/** A Markdown table; the columns are padded, so that it also reads well in a terminal. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |`;
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(headings), line(rule), ...rows.map(line)].join('\n');
}

/** The median; for an even count the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The machine, its load and the date, without anything that identifies its owner. */
export function circumstances(): string {
  const models = cpus();
  const gibibytes = Math.round(totalmem() / 1024 ** 3);
  const machine = `${models.length} cores (${models[0]?.model.trim()}), ${gibibytes} GiB memory, Node ${process.versions.node}`;
  const load = `load average of the last 15 minutes ${loadavg()[2]!.toFixed(1)}`;
  return `${machine}, ${load}, ${new Date().toISOString().slice(0, 10)}.`;
}

/** Writes a section to the results and replaces the earlier one with the same heading. */
export async function writeSection(heading: string, body: string): Promise<void> {
  const before = await readFile(FILE, 'utf8').catch(() => INTRODUCTION);
  const [introduction = '', ...sections] = before.split(/^(?=## )/m);
  const section = `## ${heading}\n\n${body}\n`;
  const at = sections.findIndex((each) => each.startsWith(`## ${heading}\n`));
  if (at >= 0) sections[at] = section;
  else sections.push(section);
  await writeFile(FILE, [introduction, ...sections].map((part) => part.trimEnd()).join('\n\n') + '\n');
}
