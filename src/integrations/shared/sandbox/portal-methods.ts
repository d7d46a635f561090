import type { Integration, Session } from '../../core/integration';
import { SelectionNotFound } from '../../core/source-errors';
import { type BehaviorFields, STEP2 } from './fields';
import { childrenOf, findFolder, GONE_FOLDER, inboxes, isWithin, topLevel } from './folders';
import type { SandboxCursor } from './fetch-plan';
import { listDocuments } from './listing';
import type { PortalLogin } from './login';
import { userId } from './fixture-document';
import { openDocument } from './open-document';

type Methods<Fields> = Required<
  Pick<Integration<Fields, SandboxCursor>, 'check' | 'step2' | 'options' | 'resolve' | 'list' | 'download'>
>;

/**
 * The methods of both sandbox integrations, which differ in the login only.
 * @param logIn called first by every method. Throws the errors of the credentials and of the scenario.
 */
export function portalMethods<Fields extends BehaviorFields>(
  logIn: (session: Session<Fields>) => Promise<PortalLogin>,
): Methods<Fields> {
  return {
    async check(session) {
      const { user } = await logIn(session);
      return { id: userId(user), display: user };
    },

    async step2(session) {
      await logIn(session);
      const options = topLevel(inboxes(session.fields));
      const [folders, ...others] = STEP2;
      return [{ ...folders, options, default: [options[0]!.value] }, ...others];
    },

    async options(session, fieldId, parentId) {
      await logIn(session);
      if (fieldId !== 'folders') return [];
      const options = parentId === undefined ? topLevel(inboxes(session.fields)) : childrenOf(parentId, today(session));
      if (!options) throw new SelectionNotFound(`The sandbox has no folder ${parentId}.`);
      return options;
    },

    async resolve(session, fieldId, values) {
      await logIn(session);
      if (fieldId !== 'folders') return values.map((value) => ({ value, label: value }));
      const isGone = !inboxes(session.fields).some(({ value }) => value === GONE_FOLDER);
      return values.map((value) =>
        isGone && isWithin(value, [GONE_FOLDER]) ? null : findFolder(value, today(session)),
      );
    },

    async *list(session, cursor, startdate) {
      yield* listDocuments(await logIn(session), cursor, startdate);
    },

    async download(session, ref) {
      return openDocument(await logIn(session), ref);
    },
  };
}

const today = (session: Pick<Session, 'now'>): string => session.now().toISOString().slice(0, 10);
