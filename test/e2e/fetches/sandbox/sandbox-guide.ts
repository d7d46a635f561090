import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type ByIntegration<T> = Readonly<Record<'sandbox' | 'sandbox_oauth', T>>;

/** A row of the table in the guide `test-with-the-sandbox`. */
export interface GuideRow {
  readonly scenario: string;
  readonly status: string;
  readonly health: string;
  readonly reason: string | null;
  readonly action: ByIntegration<string | null>;
  /** The text for the user: `reason.message`. */
  readonly message: ByIntegration<string | null>;
}

/** Reads the table of scenarios, row by row. */
export function guideRows(): GuideRow[] {
  const guide = readFileSync(join(__dirname, '../../../../docs/guides/test-with-the-sandbox.md'), 'utf8');
  const rows = guide.split('\n').filter((line) => /^\| `[a-z_]+` \|/.test(line));
  return rows.map((line) => {
    const [scenario, status, health, reason, action, message] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
    const orNull = (cell: string | undefined) => (cell === undefined || cell === '–' ? null : cell);
    const byIntegration = (cell: string): ByIntegration<string | null> => {
      const [own, oauth = own] = cell.split(' / ');
      return { sandbox: orNull(own), sandbox_oauth: orNull(oauth) };
    };
    return {
      scenario: scenario!,
      status: status!,
      health: health!,
      reason: orNull(reason),
      action: byIntegration(action!),
      message: byIntegration(reason === '–' ? '–' : message!),
    };
  });
}
