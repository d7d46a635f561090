import type { mailbox as english } from './en';

export const mailbox: typeof english = {
  title: 'Postfach verbinden',
  lead: 'Geben Sie die E-Mail-Adresse ein. Wir finden heraus, wie das Postfach verbunden wird.',
  address: 'E-Mail-Adresse',
  placeholder: 'name@example.com',
  submit: 'Weiter',
  searching: 'Wir finden heraus, wie dieses Postfach verbunden wird. Das kann einige Sekunden dauern.',
  manually: 'Server selbst eingeben',
  notAllowed:
    'Postfächer dieses Anbieters können hier nicht verbunden werden. Bitte wenden Sie sich an den Support Ihrer Anwendung.',
  provider: (address, name) => `${address} ist ein Postfach bei ${name}.`,
  server: (address, host) => `Wir haben den Server von ${address} gefunden: ${host}. Es fehlt nur noch das Passwort.`,
  noServer: (address) =>
    `Wir haben keinen Server für ${address} gefunden. Bitte geben Sie ihn selbst ein: Ihr Anbieter nennt ihn in seiner Hilfe unter „IMAP“.`,
  byHand: 'Ihr Anbieter nennt den Server in seiner Hilfe unter „IMAP“.',
  steps: { title: 'So bekommen Sie das Passwort', open: (name) => `Seite von ${name} öffnen` },
  confirm: {
    title: 'Ist das der Server Ihres Postfachs?',
    text: (domain) => `Laut ${domain} liegt Ihr Postfach auf einem Server mit dem Namen eines anderen Unternehmens:`,
    warning:
      'Ihr Passwort wird an diesen Server gesendet. Fahren Sie nur fort, wenn Sie ihn kennen, zum Beispiel aus den Einstellungen Ihres E-Mail-Programms oder von Ihrer Administratorin oder Ihrem Administrator.',
    accept: 'Ja, das ist richtig',
    refuse: 'Nein, anderen Server eingeben',
  },
};
