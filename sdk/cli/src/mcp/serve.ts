import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openSession, type Setup } from '../session';
import { createMcpServer } from './server';

/** Answers a client of the Model Context Protocol on standard input and output, until either side ends. */
export async function serveMcp(setup: Setup): Promise<void> {
  const { stdin, stdout, signal } = setup.context;
  const { server, answered } = createMcpServer(openSession(setup).client, signal);
  const ended = Promise.race([once(stdin, 'end'), signal.aborted ? null : once(signal, 'abort')]);
  await server.connect(new StdioServerTransport(stdin, stdout));
  await ended;
  if (!signal.aborted) {
    // What was asked before standard input ended is answered: messages are handled and written in later turns.
    await nextTurn();
    await answered();
    await nextTurn();
  }
  await server.close();
  stdin.pause();
}
