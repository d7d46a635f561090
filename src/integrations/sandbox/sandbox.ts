import { defineIntegration } from '../integration';
import { ConfigurationGone } from '../source-errors';
import { STEP1, STEP2 } from './fields';
import { childrenOf, findFolder, topLevel } from './folders';
import { listDocuments } from './listing';
import { logIn } from './login';
import { userId } from './made-up-document';
import { openDocument } from './open-document';

/**
 * A portal that breaks on command, so that clients can test every path of theirs (contract 8). It is made up in this folder and needs
 * no network; its failures are those of `source-errors.ts`, thrown where real portals throw them.
 */
export const sandbox = defineIntegration({
  id: 'sandbox',
  name: { en: 'Sandbox portal', de: 'Sandbox-Portal' },
  category: 'PORTAL',
  authType: 'CREDENTIALS',
  documentTypes: ['invoice', 'credit_note'],
  providesExternalId: true,
  testOnly: true,
  step1: STEP1,
  worksWithoutStep2: true,
  politeness: { concurrency: 4, requestsPerSecond: 1_000, requestsPerSecondPerHost: 1_000 },

  async check(session) {
    await logIn(session);
    return { id: userId(session.fields.user), display: session.fields.user };
  },

  async step2(session) {
    await logIn(session);
    return [...STEP2];
  },

  async options(session, fieldId, parentId) {
    await logIn(session);
    if (fieldId !== 'folders') return [];
    const options =
      parentId === undefined ? topLevel() : childrenOf(parentId, session.now().toISOString().slice(0, 10));
    if (!options) throw new ConfigurationGone(`The sandbox has no folder ${parentId}.`);
    return options;
  },

  async resolve(session, fieldId, values) {
    await logIn(session);
    if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
    const today = session.now().toISOString().slice(0, 10);
    return values.map((value) => findFolder(value, today));
  },

  list: listDocuments,
  open: openDocument,
});
