import type { FakeMicrosoftGraph } from '../../../test/fakes/microsoft-graph/fake-microsoft-graph';
import type { MailState } from '../../../test/fakes/microsoft-graph/mail-state';
import { useMicrosoft } from '../../../test/harness/connectors/use-microsoft';
import { validateFields } from '../core/validate-fields';
import { outlook } from './outlook';

const SHARED = 'rechnungen@example.com';

let server: FakeMicrosoftGraph;
let mailbox: MailState;
const account = useMicrosoft(outlook, (started) => {
  server = started;
  mailbox = started.mailbox();
});
const { sources } = account;

function sharedMailbox(): MailState {
  const made = server.mailbox(SHARED);
  made.sharedWith.add('anna@example.com');
  return made;
}

describe('The folders to choose from', () => {
  const level = (parent?: string, step2 = {}) => outlook.options!(sources.open({ step2 }), 'folders', parent);

  it('are those of the mailbox, with the inbox first, whatever its name', async () => {
    const project = mailbox.folder('Projekte/2026');
    const top = await level();
    expect(top).toMatchObject([
      { value: 'inbox', label: { de: 'Posteingang' }, hasChildren: false },
      { label: 'Archiv', hasChildren: false },
      { label: 'Projekte', hasChildren: true },
    ]);
    expect(await level(top[2]!.value)).toEqual([{ value: project.id, label: '2026', hasChildren: false }]);
  });

  it('include shared mailboxes after consent and with permission', async () => {
    const theirs = sharedMailbox();
    theirs.folder('Eingang/Bezahlt');
    server.mailbox('geschlossen@example.com');
    const step2 = { shared_mailboxes: `${SHARED}, geschlossen@example.com; ${SHARED.toUpperCase()}` };
    const mailboxes = (await level(undefined, step2)).slice(2);
    expect(mailboxes).toEqual(
      [SHARED, 'geschlossen@example.com'].map((value) => ({
        value,
        label: value,
        hasChildren: true,
        selectable: false,
      })),
    );
    const [inbox, , eingang] = await level(SHARED, step2);
    expect(inbox).toMatchObject({ value: `${SHARED}/inbox` });
    expect(await level(eingang!.value, step2)).toMatchObject([{ label: 'Bezahlt' }]);
    expect(await level('geschlossen@example.com', step2)).toEqual([]);
    account.token = server.entra.accessToken('anna@example.com', ['User.Read', 'Mail.Read']);
    expect(await level(SHARED, step2)).toEqual([]);
  });

  it('have full paths when they are selected', async () => {
    const theirs = sharedMailbox();
    const values = [
      'inbox',
      mailbox.folder('Projekte/2026').id,
      `${SHARED}/inbox`,
      `${SHARED}/${theirs.folder('Eingang/Bezahlt').id}`,
      'AQMkGone=',
      'no id',
      SHARED,
      'geschlossen@example.com/inbox',
    ];
    server.mailbox('geschlossen@example.com');
    const options = await outlook.resolve!(sources.open(), 'folders', values);
    expect(options.map((option) => option?.label)).toEqual([
      { en: 'Inbox', de: 'Posteingang' },
      'Projekte/2026',
      `${SHARED}/Posteingang`,
      `${SHARED}/Eingang/Bezahlt`,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('require an additional consent for valid shared mailboxes', async () => {
    const { scopes, scopesFor } = outlook.oauth!;
    expect(scopes).toEqual(['offline_access', 'User.Read', 'Mail.Read']);
    expect(scopesFor!({ folders: ['inbox'] })).toEqual([]);
    expect(scopesFor!({ shared_mailboxes: SHARED })).toEqual(['Mail.Read.Shared']);
    const fields = (await outlook.step2!(sources.open())).filter(({ type }) => type === 'text');
    const invalidFieldsOf = (shared_mailboxes: string) => validateFields(fields, { shared_mailboxes }).invalidFields;
    expect(invalidFieldsOf(`${SHARED},b@example.com ; c@example.com`)).toEqual([]);
    for (const wrong of ['rechnungen', `${SHARED} b@example.com`, 'a/b@example.com']) {
      expect(invalidFieldsOf(wrong)).toMatchObject([{ field: 'fields.shared_mailboxes' }]);
    }
  });
});
