import type { FieldSpec } from '../core/field';
import type { Preset } from '../core/presets/preset';

const WEB_ADDRESS = {
  help: {
    en: 'The address that you see in the browser. It should begin with https.',
    de: 'Die Adresse, die Sie im Browser sehen. Sie sollte mit https beginnen.',
  },
} as const satisfies Partial<FieldSpec>;

const APP_PASSWORD = {
  label: { en: 'App password', de: 'App-Passwort' },
  help: {
    en: 'Create it in your settings, under Security. With two-factor authentication, your usual password does not work here.',
    de: 'Erstellen Sie es in Ihren Einstellungen unter Sicherheit. Mit Zwei-Faktor-Authentifizierung funktioniert Ihr übliches Passwort hier nicht.',
  },
} as const satisfies Partial<FieldSpec>;

/** Storage services that speak WebDAV. */
export const WEBDAV_PRESETS: readonly Preset[] = [
  {
    id: 'nextcloud',
    name: 'Nextcloud',
    aliases: [],
    helpUrl: {
      en: 'https://docs.nextcloud.com/server/latest/user_manual/en/files/access_webdav.html',
      de: 'https://docs.nextcloud.com/server/latest/user_manual/de/files/access_webdav.html',
    },
    fixed: { layout: 'nextcloud' },
    changes: { url: WEB_ADDRESS, password: APP_PASSWORD },
  },
  {
    id: 'owncloud',
    name: 'ownCloud',
    aliases: [],
    fixed: { layout: 'nextcloud' },
    changes: { url: WEB_ADDRESS, password: APP_PASSWORD },
  },
  {
    id: 'hetzner_storage_box',
    name: 'Hetzner Storage Box',
    aliases: ['storagebox'],
    logo: 'hetzner',
    helpUrl: 'https://docs.hetzner.com/storage/storage-box/access/access-webdav',
    fixed: { url: 'https://{user}.your-storagebox.de' },
    changes: {
      user: {
        help: {
          en: 'As in the Hetzner console, for example u123456 or u123456-sub1. WebDAV must be switched on there.',
          de: 'Wie in der Hetzner-Konsole, zum Beispiel u123456 oder u123456-sub1. WebDAV muss dort eingeschaltet sein.',
        },
        placeholder: 'u123456',
        pattern: '[a-z0-9]+(-[a-z0-9]+)*',
      },
      password: { help: undefined },
    },
  },
  {
    id: 'ionos_hidrive',
    name: 'IONOS HiDrive',
    aliases: ['hidrive', '1und1'],
    logo: 'ionos',
    fixed: { url: 'https://webdav.hidrive.ionos.com' },
    changes: { password: { help: undefined } },
  },
  {
    id: 'magentacloud',
    name: 'MagentaCLOUD',
    aliases: ['telekom'],
    logo: 'deutschetelekom',
    fixed: { url: 'https://magentacloud.de', layout: 'nextcloud' },
    changes: { password: APP_PASSWORD },
  },
];
