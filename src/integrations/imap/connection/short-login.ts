import type { ImapFlow } from 'imapflow';
import namespace from 'imapflow/lib/commands/namespace.js';
import { Transient } from '../../core/source-errors';

/** Internal methods of imapflow. */
interface Commands {
  /** Runs a command with what imapflow does around it. */
  run(command: string, ...args: unknown[]): Promise<unknown>;
  /** Sends a command. */
  exec(command: string, attributes: unknown, options?: unknown): Promise<unknown>;
  /** Sends a line. */
  write(line: string | Buffer): unknown;
}

/** No tag of imapflow, whose tags are hexadecimal numbers. */
const ID = 'ID ID ("name" "Docfetch" "vendor" "Docfetch")\r\n';

/**
 * Saves four of the seven round trips until the first command: the credentials are sent with AUTHENTICATE (SASL-IR, RFC 4959), ID
 * (RFC 2971) is sent once, after the login and together with the next command, and NAMESPACE only when it is needed. Some servers
 * open no folder before ID. The server's name in its answer is not used. `plain` returns the response of SASL PLAIN.
 */
export function shortenLogin(client: ImapFlow, plain: () => string): void {
  const commands = client as unknown as Commands;
  const [run, exec, write] = [commands.run.bind(client), commands.exec.bind(client), commands.write.bind(client)];
  commands.run = async (command, ...args) => {
    if (command === 'ID') return undefined;
    if (command !== 'NAMESPACE') return run(command, ...args);
    if (client.capabilities.has('ID')) {
      commands.write = (line) => {
        commands.write = write;
        return write(typeof line === 'string' ? ID + line : Buffer.concat([Buffer.from(ID), line]));
      };
    }
    return undefined;
  };
  commands.exec = (command, attributes, options) => {
    const [mechanism] = Array.isArray(attributes) ? (attributes as { value?: unknown }[]) : [];
    if (command !== 'AUTHENTICATE' || mechanism?.value !== 'PLAIN' || !client.capabilities.has('SASL-IR')) {
      return exec(command, attributes, options);
    }
    const initial = { type: 'ATOM', value: Buffer.from(plain()).toString('base64'), sensitive: true };
    return exec(command, [mechanism, initial], options);
  };
}

/** The login was accepted, but has no mailbox. */
export class NoMailbox extends Transient {}

/** The delimiter of folder names. Exchange rejects this command when the login has no mailbox. @throws NoMailbox */
export async function readNamespace(client: ImapFlow): Promise<string | null | undefined> {
  const answer = await namespace(client);
  if (answer && 'error' in answer && answer.status === 'BAD')
    throw new NoMailbox('IMAP: the login has no mailbox (BAD).');
  // Paths from LIST are complete: a namespace prefix would break those of shared folders.
  if (client.namespace) client.namespace.prefix = '';
  return client.namespace?.delimiter;
}
