import { median, table } from '../harness/report';

/** CPU milliseconds per connection of the bare client. */
export interface BareFigures {
  readonly aSecond: number;
  readonly cpu: number;
  readonly resumed: number;
}

/** CPU milliseconds per fetch: of the worker, of Dovecot and of the database server. */
export interface ServiceFigures {
  readonly aSecond: number;
  /** The 99th percentile of the delay between due and started. */
  readonly lateSeconds: number;
  readonly program: number;
  readonly server: number;
  readonly database: number;
}

export interface MailboxFigures {
  readonly mailboxes: number;
  readonly required: { readonly mailboxes: number; readonly seconds: number };
  readonly sample: number;
  readonly rounds: number;
  readonly bare: Readonly<Record<'login' | 'secureLogin' | 'resumedLogin' | 'whole', readonly BareFigures[]>>;
  readonly atOnce: readonly ServiceFigures[];
  readonly paced: ServiceFigures;
  /** KiB per idle connection. */
  readonly idle: number;
  readonly idleCount: number;
}

export function reportMailboxes(figures: MailboxFigures): string {
  const { required: goal, bare, atOnce, paced, idle } = figures;
  const required = goal.mailboxes / goal.seconds;
  const cpu = (name: keyof MailboxFigures['bare']) => median(bare[name].map((each) => each.cpu));
  const whole = cpu('whole');
  const program = median(atOnce.map((each) => each.program));
  const row = (name: string, ms: number) => [name, ms.toFixed(2), (ms / whole).toFixed(2)];
  const resumed = median(bare.resumedLogin.map((each) => each.resumed));
  const costs = table(
    ['client CPU per fetch', 'ms', '× bare imapflow'],
    [
      row('bare imapflow: TCP, login, logout', cpu('login')),
      row('… with TLS', cpu('secureLogin')),
      row(`… with TLS, ${(100 * resumed).toFixed(0)} % of the sessions resumed`, cpu('resumedLogin')),
      row('… with TLS and STATUS (the baseline)', whole),
      row('service, with TLS', program),
      row('… without TCP, TLS and login, as resumed', program - cpu('resumedLogin')),
    ],
  );
  const share = (ms: number) => `${((ms * paced.aSecond) / 10).toFixed(1)} %`;
  const rates = table(
    ['fetches', 'a second', '× required', 'worker', 'database', 'Dovecot', 'late (p99), s'],
    [
      [
        `at the required rate, ${required.toFixed(1)} a second`,
        paced.aSecond.toFixed(1),
        (paced.aSecond / required).toFixed(2),
        ...[share(paced.program), share(paced.database), share(paced.server), paced.lateSeconds.toFixed(2)],
      ],
      [
        'due at once',
        median(atOnce.map((each) => each.aSecond)).toFixed(1),
        (median(atOnce.map((each) => each.aSecond)) / required).toFixed(2),
        `${program.toFixed(2)} ms`,
        `${median(atOnce.map((each) => each.database)).toFixed(2)} ms`,
        `${median(atOnce.map((each) => each.server)).toFixed(2)} ms`,
        '',
      ],
    ],
  );
  return [rates, costs, notes(figures), keepAlive(goal, idle, cpu('resumedLogin'))].join('\n\n');
}

const notes = ({ mailboxes, required, sample, rounds }: MailboxFigures) =>
  [
    `${required.mailboxes.toLocaleString('en')} mailboxes with nothing new every ${required.seconds / 60} minutes on one worker (\`ROLE=worker\`), measured with ${mailboxes.toLocaleString('en')}, each a`,
    'connection of its own. At the required rate: their due times are random, and the shares are those of one core. Due at once: the',
    `rate that the worker sustains, and the processor time of a fetch; medians of ${rounds} rounds with ${sample.toLocaleString('en')} mailboxes, in which service and`,
    'bare client alternate. Dovecot has its mailboxes in memory, on eight loopback addresses with TLS, and one login process: several',
    'would not resume each other’s sessions. The service opens at most 50 connections a second to one host, so one provider can',
    'have 45,000 mailboxes. Bare imapflow is a process that does nothing else, ten connections at once. A connection’s due time is a',
    'fixed one within the interval that follows from its uuid, so the load is spread without a setting. Before TLS sessions were resumed',
    'and the login took one round trip instead of five, a fetch cost 2.3 × bare imapflow.',
  ].join('\n');

const keepAlive = ({ mailboxes, seconds }: MailboxFigures['required'], idle: number, login: number) =>
  [
    `Connections are not kept open between fetches: an idle one takes ${idle.toFixed(0)} KiB of the client’s memory, ${mailboxes.toLocaleString('en')} of them ${((idle * mailboxes) / 1024).toFixed(0)} MiB,`,
    `and a process at the server each. The logins that this would save take ${((login * mailboxes) / seconds / 10).toFixed(1)} % of one core, and providers allow a user`,
    'only some connections at a time.',
  ].join('\n');
