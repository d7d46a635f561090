import type { Command } from './commands';
import { fetchCommand } from './fetch-command';
import { existingFolder, mailboxArgument } from './folder-commands';
import { ImapCommandError } from '../protocol/command-error';
import { searchCommand } from './search';
import { messagesOf } from '../mailbox/selected-folder';

function storeCommand(byUid: boolean): Command {
  return {
    states: ['selected'],
    expunges: byUid,
    async run(session, args) {
      args.space();
      const set = args.sequenceSet();
      args.space();
      const [, sign, silent] = args.match(/([+-]?)FLAGS(\.SILENT)? /iy, 'FLAGS');
      const flags = args.next('(') ? args.list(() => args.flag(), true) : [args.flag()];
      while (args.accept(' ')) flags.push(args.flag());
      args.end();
      session.changes('STORE');
      const selected = session.selected!;
      if (selected.readOnly) throw new ImapCommandError('NO', 'The mailbox is read-only', 'CANNOT');
      for (const { number, message } of messagesOf(selected, set, byUid)) {
        const added = sign === '-' ? [...message.flags].filter((flag) => !flags.includes(flag)) : flags;
        selected.folder.setFlags(message, sign === '+' ? [...message.flags, ...flags] : added);
        selected.markReported(message);
        const uid = byUid ? `UID ${message.uid} ` : '';
        if (!silent) await session.untagged(`${number} FETCH (${uid}FLAGS ${selected.flags(message)})`);
      }
    },
  };
}

function copyCommand(byUid: boolean): Command {
  return {
    states: ['selected'],
    run(session, args) {
      args.space();
      const set = args.sequenceSet();
      const path = mailboxArgument(args);
      args.end();
      session.changes('COPY', path);
      const target = existingFolder(session, path, 'TRYCREATE');
      const pairs = messagesOf(session.selected!, set, byUid).map(({ message }) => [
        message.uid,
        target.copy(message).uid,
      ]);
      if (pairs.length === 0 || !session.offers('UIDPLUS')) return;
      const [from, to] = [0, 1].map((side) => pairs.map((pair) => pair[side]).join(','));
      return `[COPYUID ${target.uidValidity} ${from} ${to}] Copied`;
    },
  };
}

function expungeCommand(byUid: boolean): Command {
  return {
    states: ['selected'],
    ...(byUid ? { needs: 'UIDPLUS' } : {}),
    run(session, args) {
      let chosen = session.selected!.view;
      if (byUid) {
        args.space();
        chosen = messagesOf(session.selected!, args.sequenceSet(), true).map(({ message }) => message);
      }
      args.end();
      session.changes('EXPUNGE');
      if (session.selected!.readOnly) throw new ImapCommandError('NO', 'The mailbox is read-only', 'CANNOT');
      session.selected!.folder.remove(new Set(chosen.filter(({ flags }) => flags.has('\\Deleted'))));
    },
  };
}

export const MESSAGE_COMMANDS = {
  FETCH: fetchCommand(false),
  'UID FETCH': fetchCommand(true),
  STORE: storeCommand(false),
  'UID STORE': storeCommand(true),
  COPY: copyCommand(false),
  'UID COPY': copyCommand(true),
  EXPUNGE: expungeCommand(false),
  'UID EXPUNGE': expungeCommand(true),
  SEARCH: searchCommand(false),
  'UID SEARCH': searchCommand(true),
} satisfies Record<string, Command>;
