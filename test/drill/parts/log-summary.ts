import { readFileSync } from 'node:fs';

interface LogLine {
  readonly level?: number;
  readonly time?: string | number;
  readonly context?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

/** The warnings and errors of a log since a time, each with its number, most frequent first. */
export function summarize(file: string, since: Date, limit = 12): string[] {
  const counts = new Map<string, number>();
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = parseLine(text);
    if (!line || (line.level ?? 0) < 40 || new Date(line.time ?? 0) < since) continue;
    const what = `${line.level} ${line.context ?? ''}: ${textOf(line)}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, limit).map(([what, times]) => `${times} × ${what}`);
}

function textOf({ msg = '', err }: LogLine): string {
  const text = err?.message && err.message !== msg ? `${msg} (${err.message})` : msg;
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\b\d{2,}\b/g, '<n>')
    .slice(0, 200);
}

function parseLine(text: string): LogLine | null {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return null; // the last line of a process that was killed
  }
}
