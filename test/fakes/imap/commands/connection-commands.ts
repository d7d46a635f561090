import type { Command } from './commands';
import { ImapCommandError } from '../protocol/command-error';
import type { Session, State } from '../session';
import { string } from '../protocol/wire-format';

const ANY: readonly State[] = ['not authenticated', 'authenticated', 'selected'];
const BEFORE_LOGIN: readonly State[] = ['not authenticated'];
const LOGGED_IN: readonly State[] = ['authenticated', 'selected'];

function login(session: Session, user: string, password: string): string {
  const account = session.host.login(user, password);
  if (!account) throw new ImapCommandError('NO', 'Wrong user or password', 'AUTHENTICATIONFAILED');
  session.account = account;
  return `[CAPABILITY ${session.capabilities().join(' ')}] Logged in`;
}

function assertLoginAllowed(session: Session): void {
  if (!session.loginAllowed) throw new ImapCommandError('NO', 'Start TLS first', 'PRIVACYREQUIRED');
}

const capability: Command = {
  states: ANY,
  async run(session, args) {
    args.end();
    await session.untagged(`CAPABILITY ${session.capabilities().join(' ')}`);
  },
};

const noop: Command = {
  states: ANY,
  run: (_, args) => args.end(),
};

const logout: Command = {
  states: ANY,
  async run(session, args) {
    args.end();
    session.selected = undefined;
    session.ending = true;
    await session.untagged('BYE Logging out');
  },
};

const startTls: Command = {
  states: BEFORE_LOGIN,
  needs: 'STARTTLS',
  run(session, args) {
    args.end();
    session.afterAnswer = () => session.wire.startTls(session.host.secureContext!);
    return 'Begin TLS negotiation';
  },
};

const loginCommand: Command = {
  states: BEFORE_LOGIN,
  secret: true,
  run(session, args) {
    args.space();
    const user = args.astring();
    args.space();
    const password = args.astring();
    args.end();
    assertLoginAllowed(session);
    return login(session, user, password);
  },
};

/** The initial response of each mechanism with access tokens, and the client's response to the error. */
const OAUTH = {
  XOAUTH2: { initial: /^user=([^\x01]+)\x01auth=Bearer ([^\x01]+)\x01\x01$/, afterError: '' },
  OAUTHBEARER: {
    initial: /^n,a=([^,\x01]+),\x01(?:\w+=[^\x01]*\x01)*?auth=Bearer ([^\x01]+)\x01\x01$/,
    afterError: 'AQ==',
  },
} as const;
const isOAuth = (mechanism: string): mechanism is keyof typeof OAUTH => mechanism in OAUTH;

/** XOAUTH2 and OAUTHBEARER (RFC 7628): an error is a challenge, which the client answers before the command fails. */
async function logInWithToken(session: Session, mechanism: keyof typeof OAUTH, response: string): Promise<string> {
  const { initial, afterError } = OAUTH[mechanism];
  const [, user, token] = initial.exec(response) ?? [];
  if (user === undefined || token === undefined) throw new ImapCommandError('BAD', `Not a ${mechanism} response`);
  const account = session.host.logInWithToken!(user, token);
  if (account) {
    session.account = account;
    return `[CAPABILITY ${session.capabilities().join(' ')}] Logged in`;
  }
  const error = JSON.stringify({ status: '400', schemes: 'bearer', scope: 'https://mail.google.com/' });
  const answer = await session.ask(Buffer.from(error).toString('base64'));
  if (answer.toString('latin1') !== afterError) throw new ImapCommandError('BAD', 'Not the answer to an error');
  throw new ImapCommandError('NO', 'Invalid credentials', 'AUTHENTICATIONFAILED');
}

/** AUTHENTICATE PLAIN (RFC 4616), with or without an initial response (RFC 4959). */
const authenticate: Command = {
  states: BEFORE_LOGIN,
  secret: true,
  async run(session, args) {
    args.space();
    const mechanism = args.keyword();
    let response: string | undefined;
    if (!args.atEnd()) {
      if (!session.offers('SASL-IR')) throw args.bad('no initial response');
      args.space();
      response = args.match(/[A-Za-z0-9+/]*={0,2}/y, 'base64')[0];
      args.end();
    }
    assertLoginAllowed(session);
    if (session.host.logInWithToken && response !== undefined && isOAuth(mechanism)) {
      return logInWithToken(session, mechanism, Buffer.from(response, 'base64').toString());
    }
    if (mechanism !== 'PLAIN') throw new ImapCommandError('NO', 'Unsupported mechanism', 'CANNOT');
    response ??= (await session.ask('')).toString('latin1');
    if (response === '*') throw new ImapCommandError('BAD', 'Authentication cancelled');
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(response) || response.length % 4 !== 0)
      throw new ImapCommandError('BAD', 'Not base64');
    const [authorizationId, user, password, ...rest] = Buffer.from(response, 'base64').toString().split('\0');
    if (!user || password === undefined || rest.length > 0) throw new ImapCommandError('BAD', 'Not a PLAIN response');
    if (authorizationId && authorizationId !== user)
      throw new ImapCommandError('NO', 'Not permitted', 'AUTHORIZATIONFAILED');
    return login(session, user, password);
  },
};

/** ID (RFC 2971): NIL or pairs of strings. */
const id: Command = {
  states: ANY,
  needs: 'ID',
  async run(session, args) {
    args.space();
    if (args.next('(')) {
      const values = args.list(() => args.nstring(), true);
      if (values.length % 2 !== 0) throw args.bad('pairs of names and values');
    } else if (args.nstring() !== undefined) {
      throw args.bad('NIL or a list');
    }
    args.end();
    await session.untagged('ID ("name" "Strict test server")');
  },
};

/** ENABLE (RFC 5161): not while a mailbox is selected. */
const enable: Command = {
  states: ['authenticated'],
  needs: 'ENABLE',
  async run(session, args) {
    const names: string[] = [];
    do {
      args.space();
      names.push(args.keyword());
    } while (!args.atEnd());
    const condstore = names.includes('CONDSTORE') && session.offers('CONDSTORE');
    if (condstore) session.condstore = true;
    await session.untagged(condstore ? 'ENABLED CONDSTORE' : 'ENABLED');
  },
};

const namespace: Command = {
  states: LOGGED_IN,
  needs: 'NAMESPACE',
  async run(session, args) {
    args.end();
    await session.untagged(`NAMESPACE (("" ${string(session.host.delimiter)})) NIL NIL`);
  },
};

/** IDLE (RFC 2177): reports changes as they happen, until the client sends DONE. */
const idle: Command = {
  states: LOGGED_IN,
  needs: 'IDLE',
  async run(session, args) {
    args.end();
    await session.wire.write('+ idling\r\n');
    let wake = () => {};
    const unwatch = session.selected?.folder.watch(() => wake());
    try {
      while (session.wire.waiting === 0 && !session.ending) {
        const change = new Promise<void>((resolve) => (wake = resolve));
        await session.sync(true);
        if (!(await session.wire.activity(change))) break;
      }
    } finally {
      unwatch?.();
    }
    if (session.ending) return;
    const line = await session.wire.line(1000);
    if (line.toString('latin1').toUpperCase() !== 'DONE') throw new ImapCommandError('BAD', 'Expected DONE');
  },
};

export const CONNECTION_COMMANDS = {
  CAPABILITY: capability,
  NOOP: noop,
  LOGOUT: logout,
  STARTTLS: startTls,
  LOGIN: loginCommand,
  AUTHENTICATE: authenticate,
  ID: id,
  ENABLE: enable,
  NAMESPACE: namespace,
  IDLE: idle,
} satisfies Record<string, Command>;
