import { setTimeout as sleep } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';

/** An internal method of imapflow. */
type Executing = ImapFlow & { exec(command: string, attributes: readonly object[]): Promise<{ next(): void }> };

/** A mailbox of its own, and a client of its user. */
export interface CyrusAccount {
  readonly user: string;
  readonly password: string;
  readonly client: ImapFlow;
  /** Those that exist. */
  readonly folders: Set<string>;
}

/** Puts a mail into a folder and creates a missing one. */
export async function append(
  { client, folders }: CyrusAccount,
  folder: string,
  mail: Buffer,
  { flags = [], received = new Date() }: { readonly flags?: readonly string[]; readonly received?: Date } = {},
): Promise<void> {
  if (!folders.has(folder)) await client.mailboxCreate(folder);
  folders.add(folder);
  await client.append(folder, mail, [...flags], received);
}

/** Replaces a folder by another one with the same mails and the same name: it has another UIDVALIDITY. */
export async function replaceFolder({ client }: CyrusAccount, folder: string): Promise<void> {
  const uidValidity = await uidValidityOf(client, folder);
  // Cyrus takes the time in seconds.
  await sleep(Math.max(0, (Number(uidValidity) + 1) * 1_000 - Date.now()));
  await client.mailboxRename(folder, 'Replaced');
  await client.mailboxCreate(folder);
  await client.mailboxOpen('Replaced', { readOnly: true });
  await client.messageCopy('1:*', folder);
  await client.mailboxClose();
  if ((await uidValidityOf(client, folder)) === uidValidity) throw new Error('Cyrus has kept the UIDVALIDITY.');
}

async function uidValidityOf(client: ImapFlow, folder: string): Promise<bigint | undefined> {
  const status = await client.status(folder, { uidValidity: true });
  return status ? status.uidValidity : undefined;
}

/** Lets another user read a folder. */
export async function share({ client }: CyrusAccount, folder: string, reader: CyrusAccount): Promise<void> {
  const attributes = [folder, reader.user, 'lrs'].map((value) => ({ type: 'ATOM', value }));
  (await (client as Executing).exec('SETACL', attributes)).next();
}

/** What another client sees of a folder: Cyrus counts every change of a flag in `highestModseq`. */
export async function stateOf({ client }: CyrusAccount, folder: string): Promise<unknown> {
  const counts = await client.status(folder, { messages: true, unseen: true, recent: true, highestModseq: true });
  await client.mailboxOpen(folder, { readOnly: true });
  const mails = await client.fetchAll('1:*', { uid: true, flags: true });
  return { counts, flags: mails.map(({ uid, flags }) => [uid, [...(flags ?? [])].sort()]) };
}
