import type { Command } from './commands';
import type { Folder } from '../mailbox/folder';
import { encodeMailboxName } from '../protocol/mailbox-name';
import type { Session } from '../session';
import { string } from '../protocol/wire-format';

/** LIST (RFC 3501 6.3.8) with the options of SPECIAL-USE (RFC 6154), and LSUB. */
export function listCommand(name: 'LIST' | 'LSUB'): Command {
  return {
    states: ['authenticated', 'selected'],
    async run(session, args) {
      args.space();
      const option = () => {
        if (args.keyword() !== 'SPECIAL-USE' || !session.offers('SPECIAL-USE')) throw args.bad('a known option');
      };
      let onlySpecial = false;
      if (name === 'LIST' && args.next('(')) {
        onlySpecial = args.list(option, true).length > 0;
        args.space();
      }
      const reference = args.astring();
      args.space();
      const pattern = args.listMailbox();
      if (name === 'LIST' && (args.accept(' RETURN ') || args.accept(' return '))) args.list(option, true);
      args.end();
      const delimiter = string(session.host.delimiter);
      if (pattern === '') return session.untagged(`${name} (\\Noselect) ${delimiter} ""`);
      const matches = mailboxPattern(reference + pattern, session.host.delimiter);
      for (const folder of session.account!.folders.values()) {
        const encoded = encodeMailboxName(folder.path);
        if (!matches(encoded) || (onlySpecial && !folder.specialUse)) continue;
        const flags = name === 'LIST' ? attributes(session, folder) : subscription(session, folder, pattern);
        if (flags !== undefined) await session.untagged(`${name} (${flags}) ${delimiter} ${string(encoded)}`);
      }
    },
  };
}

function attributes(session: Session, folder: Folder): string {
  const list: string[] = [];
  if (!folder.selectable) list.push('\\Noselect');
  if (session.offers('CHILDREN')) list.push(session.account!.hasChildren(folder) ? '\\HasChildren' : '\\HasNoChildren');
  if (folder.specialUse && session.offers('SPECIAL-USE')) list.push(folder.specialUse);
  return list.join(' ');
}

/**
 * The LSUB response for a folder, or undefined. With `%`, an unsubscribed folder represents the subscribed ones below it
 * and MUST be flagged with `\Noselect` (RFC 3501 6.3.9), as Cyrus and Courier do.
 */
function subscription(session: Session, folder: Folder, pattern: string): string | undefined {
  if (folder.subscribed) return '';
  return pattern.endsWith('%') && session.account!.hasChildren(folder, true) ? '\\Noselect' : undefined;
}

/** `*` matches anything, `%` anything within one level; INBOX is case-insensitive. */
function mailboxPattern(pattern: string, delimiter: string): (name: string) => boolean {
  const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const level = `[^${escape(delimiter)}]*`;
  const source = pattern.replace(/[*%]|[^*%]+/g, (piece) =>
    piece === '*' ? '.*' : piece === '%' ? level : escape(piece),
  );
  const exact = new RegExp(`^${source}$`, 's');
  const anyCase = new RegExp(`^${source}$`, 'si');
  return (name) => (name === 'INBOX' ? anyCase : exact).test(name);
}
