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
  readonly intervalSeconds: number;
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
  const { mailboxes, intervalSeconds, bare, atOnce, paced, idle } = figures;
  const required = mailboxes / intervalSeconds;
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
      row('… without TCP, TLS and login', program - cpu('secureLogin')),
    ],
  );
  const share = (ms: number) => `${((ms * paced.aSecond) / 10).toFixed(1)} %`;
  const rates = table(
    ['fetches', 'a second', '× required', 'worker', 'database', 'Dovecot', 'late (p99), s'],
    [
      [
        `spread over ${intervalSeconds / 60} minutes`,
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
  return [rates, costs, notes(figures), keepAlive(mailboxes, idle, intervalSeconds, cpu('secureLogin'))].join('\n\n');
}

const notes = ({ mailboxes, sample, rounds }: MailboxFigures) =>
  [
    `${mailboxes.toLocaleString('en')} mailboxes with nothing new, each a connection of its own that is due every 15 minutes, on one worker (\`ROLE=worker\`).`,
    'Spread: the processor’s share of each as a percentage of one core. Due at once: the rate that the worker sustains, and the',
    `processor time of a fetch; medians of ${rounds} rounds with ${sample.toLocaleString('en')} mailboxes, in which service and bare client alternate. Dovecot has its mailboxes in`,
    'memory, on eight loopback addresses with TLS, and one login process: several would not resume each other’s sessions. The service',
    'opens at most 50 connections a second to one host, so that one provider can have 45,000 mailboxes in 15 minutes. Bare',
    'imapflow is a process that does nothing else, ten connections at once.',
  ].join('\n');

const keepAlive = (mailboxes: number, idle: number, intervalSeconds: number, login: number) =>
  [
    `Keep-alive: an idle connection takes ${idle.toFixed(0)} KiB of the client’s memory, ${mailboxes.toLocaleString('en')} of them ${((idle * mailboxes) / 1024).toFixed(0)} MiB,`,
    `and would save ${((login * mailboxes) / intervalSeconds / 10).toFixed(1)} % of one core.`,
  ].join('\n');
