import type { Response } from 'supertest';
import { expectError } from '../../../harness/http/expect-error';
import { useSharedContext } from '../../../harness/app/test-context';

interface Refusal {
  readonly detail: string;
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

const bodyOf = (answer: Response) => answer.body as Refusal;
const messages = (answer: Response) =>
  Object.fromEntries(bodyOf(answer).errors.map(({ field, message }) => [field, message]));

describe('the language of a response (decisions 1)', () => {
  const context = useSharedContext();
  const ask = (headers: Record<string, string>, body: object = {}) =>
    context.client.request('post', '/v1/identities').set(headers).send(body);

  it.each<[Record<string, string>, 'en' | 'de']>([
    [{}, 'en'],
    [{ Lang: 'de' }, 'de'],
    [{ LANG: 'de' }, 'de'],
    [{ lang: 'DE' }, 'de'],
    [{ Lang: 'de-AT' }, 'de'],
    [{ Lang: 'fr' }, 'en'],
    [{ Lang: 'fr', 'Accept-Language': 'de' }, 'en'],
    [{ Lang: 'en', 'Accept-Language': 'de' }, 'en'],
    [{ 'Accept-Language': 'de-AT' }, 'de'],
    [{ 'ACCEPT-LANGUAGE': 'de' }, 'de'],
    [{ 'accept-language': 'fr;q=1, de;q=0.7, en;q=0.3' }, 'de'],
    [{ 'Accept-Language': 'en;q=0.2, de;q=0.1' }, 'en'],
    [{ 'Accept-Language': '*' }, 'en'],
    [{ 'Accept-Language': 'fr, *;q=0.5' }, 'en'],
    [{ 'Accept-Language': 'de;q=0, *' }, 'en'],
    [{ 'Accept-Language': 'en;q=0, *' }, 'de'],
    [{ 'Accept-Language': 'xx' }, 'en'],
    [{ 'Accept-Language': ',;q=,' }, 'en'],
  ])('for a request with %j is %s', async (headers, lang) => {
    expectError(await ask(headers), 422, 'MISSING_REQUIRED_FIELDS', { client_identifier: 'REQUIRED' }, lang);
  });

  it('has its own plural forms', async () => {
    const details = async (lang: string) => [
      bodyOf(await ask({ Lang: lang })).detail,
      bodyOf(await ask({ Lang: lang }, { client_identifier: 'x', a: 1 })).detail,
      bodyOf(await ask({ Lang: lang }, { client_identifier: 'x', a: 1, b: 2 })).detail,
      bodyOf(await ask({ Lang: lang }, Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, 1]))))
        .detail,
    ];
    expect(await details('en')).toEqual([
      'One required field is missing.',
      'Please check one field.',
      'Please check 2 fields.',
      'Please check 1,001 fields.',
    ]);
    expect(await details('de')).toEqual([
      'Ein Pflichtfeld fehlt.',
      'Bitte prüfen Sie ein Feld.',
      'Bitte prüfen Sie 2 Felder.',
      'Bitte prüfen Sie 1.001 Felder.',
    ]);
  });

  it('has its own number format', async () => {
    const body = { identity_uuid: context.identity, return_url: `https://app.example.com/${'x'.repeat(3000)}` };
    const respond = async (lang: string) =>
      messages(await context.client.request('post', '/token').set('Lang', lang).send(body)).return_url;
    expect(await respond('en')).toBe('Return address may have at most 2,048 characters.');
    expect(await respond('de')).toBe('„Rücksprungadresse“ darf höchstens 2.048 Zeichen lang sein.');
  });

  it('names a field by its label, or by its name without one', async () => {
    const body = {
      integration_id: 'imap',
      name: '',
      identity_uuid: context.identity,
      fields: { security: 'OTHER', port: 99_999, 'what$t(errors.title.other)': 1 },
    };
    const respond = async (lang: string) =>
      messages(await context.client.request('post', '/v1/connections').set('Lang', lang).send(body));
    expect(await respond('en')).toMatchObject({
      name: 'Name is required.',
      'fields.password': 'Password is required.',
    });
    const german = await respond('de');
    expect(german).toMatchObject({
      name: '„Name“ ist erforderlich.',
      'fields.password': '„Passwort“ ist erforderlich.',
    });
    expect(german['fields.what$t(errors.title.other)']).toContain('„what$t (errors.title.other)“');
  });

  it('applies to labels, options and help, and not to codes', async () => {
    const get = async (lang: string) => {
      const answer = await context.client.request('get', '/v1/integrations/imap').set('Lang', lang).expect(200);
      const { data } = answer.body as { data: { step1_fields: { id: string; label: string; help: string | null }[] } };
      return data.step1_fields;
    };
    const [english, german] = [await get('en'), await get('de')];
    expect(german.map(({ id }) => id)).toEqual(english.map(({ id }) => id));
    expect(german.find(({ id }) => id === 'password')).toMatchObject({ label: 'Passwort' });
    expect(german.find(({ id }) => id === 'user')!.help).toBe('Meistens Ihre E-Mail-Adresse.');
  });

  it('applies to the status reason of a connection', async () => {
    const uuid = await context.createConnection();
    const respond = async (lang: string) => {
      const answer = await context.client.request('get', `/v1/connections/${uuid}`).set('Lang', lang).expect(200);
      return (answer.body as { data: { reason: object } }).data.reason;
    };
    expect(await respond('en')).toMatchObject({
      code: 'SETUP_INCOMPLETE',
      message: 'The setup has not been completed yet.',
    });
    expect(await respond('de')).toMatchObject({
      code: 'SETUP_INCOMPLETE',
      message: 'Die Einrichtung ist noch nicht abgeschlossen.',
    });
  });
});
