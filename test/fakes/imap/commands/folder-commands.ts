import type { CommandCursor } from '../protocol/command-cursor';
import type { Command } from './commands';
import type { Folder } from '../mailbox/folder';
import { decodeMailboxName, encodeMailboxName } from '../protocol/mailbox-name';
import { listCommand } from './list-command';
import { ImapCommandError } from '../protocol/command-error';
import { SelectedFolder } from '../mailbox/selected-folder';
import type { Session, State } from '../session';
import { parseDateTime, string } from '../protocol/wire-format';

const LOGGED_IN: readonly State[] = ['authenticated', 'selected'];
const FLAGS = '\\Answered \\Flagged \\Deleted \\Seen \\Draft';
const STATUS_ITEMS = ['MESSAGES', 'RECENT', 'UIDNEXT', 'UIDVALIDITY', 'UNSEEN', 'HIGHESTMODSEQ'] as const;

/** A mailbox argument as a decoded path. A name that is not valid modified UTF-7 is answered with BAD. */
export function mailboxArgument(args: CommandCursor): string {
  args.space();
  const path = decodeMailboxName(args.astring());
  if (path === undefined || path === '') throw args.bad('a mailbox name in modified UTF-7');
  return path;
}

/** The selectable folder at the path. Throws NO with the code `missing` when there is none. */
export function existingFolder(session: Session, path: string, missing: string): Folder {
  const folder = session.account!.folder(path);
  if (!folder) throw new ImapCommandError('NO', 'No such mailbox', missing);
  if (!folder.selectable) throw new ImapCommandError('NO', 'The mailbox only holds others', 'CANNOT');
  return folder;
}

function openCommand(readOnly: boolean): Command {
  return {
    states: LOGGED_IN,
    async run(session, args) {
      const path = mailboxArgument(args);
      if (!args.atEnd()) {
        args.space();
        const parameters = args.list(() => args.keyword());
        const known = session.offers('CONDSTORE') && parameters.every((parameter) => parameter === 'CONDSTORE');
        if (!known) throw new ImapCommandError('BAD', 'Unknown parameter');
        session.condstore = true;
      }
      args.end();
      if (!readOnly) session.changes('SELECT', path);
      // A failed SELECT leaves no mailbox selected (RFC 3501 6.3.1).
      session.selected = undefined;
      const folder = existingFolder(session, path, 'NONEXISTENT');
      const selected = (session.selected = new SelectedFolder(folder, readOnly));
      const unseen = folder.messages.findIndex(({ flags }) => !flags.has('\\Seen'));
      const lines = [
        `FLAGS (${FLAGS})`,
        `OK [PERMANENTFLAGS (${readOnly ? '' : `${FLAGS} \\*`})] Flags`,
        `${folder.messages.length} EXISTS`,
        `${selected.recent} RECENT`,
        ...(unseen < 0 ? [] : [`OK [UNSEEN ${unseen + 1}] First unseen`]),
        `OK [UIDVALIDITY ${folder.uidValidity}] UIDs valid`,
        ...(session.host.withheld.has('UIDNEXT') ? [] : [`OK [UIDNEXT ${folder.uidNext}] Next UID`]),
        ...(session.offers('CONDSTORE') ? [`OK [HIGHESTMODSEQ ${folder.highestModSequence}] Highest`] : []),
      ];
      for (const line of lines) await session.untagged(line);
      return readOnly ? '[READ-ONLY] Opened' : '[READ-WRITE] Opened';
    },
  };
}

/** CLOSE silently expunges the messages marked as deleted; UNSELECT (RFC 3691) does not. */
function leaveCommand(expunge: boolean): Command {
  return {
    states: ['selected'],
    ...(expunge ? {} : { needs: 'UNSELECT' }),
    run(session, args) {
      args.end();
      const { folder, readOnly } = session.selected!;
      const deleted = folder.messages.filter(({ flags }) => flags.has('\\Deleted'));
      if (expunge && !readOnly && deleted.length > 0) {
        session.changes('CLOSE');
        folder.remove(new Set(deleted));
      }
      session.selected = undefined;
    },
  };
}

const status: Command = {
  states: LOGGED_IN,
  async run(session, args) {
    const path = mailboxArgument(args);
    args.space();
    const items = args.list(() => {
      const name = args.keyword();
      const item = STATUS_ITEMS.find((known) => known === name);
      if (!item || (item === 'HIGHESTMODSEQ' && !session.offers('CONDSTORE'))) throw args.bad('a status item');
      return item;
    });
    args.end();
    const folder = existingFolder(session, path, 'NONEXISTENT');
    const values: Record<(typeof STATUS_ITEMS)[number], number> = {
      MESSAGES: folder.messages.length,
      RECENT: folder.messages.filter(({ uid }) => uid >= folder.firstRecentUid).length,
      UIDNEXT: folder.uidNext,
      UIDVALIDITY: folder.uidValidity,
      UNSEEN: folder.messages.filter(({ flags }) => !flags.has('\\Seen')).length,
      HIGHESTMODSEQ: folder.highestModSequence,
    };
    const supported = items.filter((item) => !session.host.withheld.has(item));
    const answer = supported.map((item) => `${item} ${values[item]}`).join(' ');
    await session.untagged(`STATUS ${string(encodeMailboxName(path))} (${answer})`);
  },
};

const append: Command = {
  states: LOGGED_IN,
  run(session, args) {
    const path = mailboxArgument(args);
    args.space();
    let flags: string[] = [];
    if (args.next('(')) {
      flags = args.list(() => args.flag(), true);
      args.space();
    }
    let date: ReturnType<typeof parseDateTime>;
    if (args.next('"')) {
      date = parseDateTime(args.quoted());
      if (!date) throw args.bad('a date-time');
      args.space();
    }
    const content = args.literal();
    args.end();
    session.changes('APPEND', path);
    const folder = existingFolder(session, path, 'TRYCREATE');
    const facts = { internalDate: date?.date, zoneMinutes: date?.zoneMinutes, flags };
    const { uid } = folder.append(content, facts);
    return session.offers('UIDPLUS') ? `[APPENDUID ${folder.uidValidity} ${uid}] Appended` : 'Appended';
  },
};

/** Folder commands that the server rejects; they are recorded nevertheless. */
function forbidden(name: string, names: number): Command {
  return {
    states: LOGGED_IN,
    run(session, args) {
      const paths = Array.from({ length: names }, () => mailboxArgument(args));
      args.end();
      session.changes(name, paths[0]);
      throw new ImapCommandError('NO', 'Folders cannot be changed', 'NOPERM');
    },
  };
}

const check: Command = { states: ['selected'], run: (_, args) => args.end() };

export const FOLDER_COMMANDS = {
  SELECT: openCommand(false),
  EXAMINE: openCommand(true),
  CLOSE: leaveCommand(true),
  UNSELECT: leaveCommand(false),
  CHECK: check,
  LIST: listCommand('LIST'),
  LSUB: listCommand('LSUB'),
  STATUS: status,
  APPEND: append,
  CREATE: forbidden('CREATE', 1),
  DELETE: forbidden('DELETE', 1),
  RENAME: forbidden('RENAME', 2),
  SUBSCRIBE: forbidden('SUBSCRIBE', 1),
  UNSUBSCRIBE: forbidden('UNSUBSCRIBE', 1),
} satisfies Record<string, Command>;
