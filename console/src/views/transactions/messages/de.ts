import type { TransactionTexts } from './en';

export const de: TransactionTexts = {
  title: 'Transaktionen',
  lead: 'Alle abgerufenen Dokumente und der Stand ihrer Zustellung.',
  search: 'Dateiname, Nummer, Lieferant oder UUID',
  status: 'Zustellung',
  type: 'Art',
  connection: 'UUID der Verbindung',
  identity: 'UUID der Identität',
  from: 'Abgerufen ab',
  to: 'Abgerufen bis',
  document: 'Dokument',
  amount: 'Betrag und Datum',
  created: 'Abgerufen',
  uuid: 'UUID',
  empty: 'Es gibt noch keine Dokumente. Sie erscheinen hier, sobald eine Verbindung etwas abgerufen hat.',
  statuses: {
    PENDING: 'Wartet',
    DELIVERED: 'Zugestellt',
    FAILED: 'Fehlgeschlagen',
    AVAILABLE: 'Abholbereit',
    ACKNOWLEDGED: 'Bestätigt',
    REJECTED: 'Abgelehnt',
  },
  damaged: 'beschädigt',
  encrypted: 'verschlüsselt',
  duplicate: 'doppelte Rechnung',
  renditions: (count) => (count === 1 ? '1 weitere Fassung' : `${count} weitere Fassungen`),
  valid: 'E-Rechnung gültig',
  invalid: (errors) => (errors === 1 ? 'E-Rechnung: 1 Fehler' : `E-Rechnung: ${errors} Fehler`),
  redeliver: {
    selected: (count) => `Auswahl erneut zustellen (${count})`,
    maxSelected: (count) =>
      `${count} Dokumente sind ausgewählt. Mehr lassen sich nicht auf einmal erneut zustellen; filtern Sie nach der Zustellung, um alle Treffer erneut zuzustellen.`,
    all: 'Alle Treffer erneut zustellen …',
    title: 'Dokumente erneut zustellen?',
    count: {
      PUSH: (count, text) =>
        count === 1
          ? 'Ein Dokument wird erneut an den Endpunkt gesendet.'
          : `${text} Dokumente werden erneut an den Endpunkt gesendet.`,
      WEBHOOK: (count, text) =>
        count === 1
          ? 'Die Webhooks kündigen ein Dokument erneut an.'
          : `Die Webhooks kündigen ${text} Dokumente erneut an.`,
      POLLING: (count, text) =>
        count === 1
          ? 'Ein Dokument steht wieder zum Abholen bereit.'
          : `${text} Dokumente stehen wieder zum Abholen bereit.`,
    },
    note: {
      PUSH: (count) =>
        count === 1
          ? 'Ihr Endpunkt erhält es mit derselben transaction_uuid wie zuvor und sollte es ignorieren, wenn er es schon hat.'
          : 'Ihr Endpunkt erhält sie mit derselben transaction_uuid wie zuvor und sollte bereits vorhandene ignorieren.',
      WEBHOOK: (count) =>
        count === 1
          ? 'Es behält seine transaction_uuid. Ihre Anwendung sollte es ignorieren, wenn sie es schon hat.'
          : 'Sie behalten ihre transaction_uuid. Ihre Anwendung sollte bereits vorhandene ignorieren.',
      POLLING: (count) =>
        count === 1
          ? 'Es behält seinen Platz im Feed. Eine Anwendung, die ab ihrem Cursor weiterliest, sieht es nicht, findet es aber mit status=AVAILABLE.'
          : 'Sie behalten ihren Platz im Feed. Eine Anwendung, die ab ihrem Cursor weiterliest, sieht sie nicht, findet sie aber mit status=AVAILABLE.',
    },
    nothing: 'Keines dieser Dokumente kann erneut zugestellt werden: Ihr Inhalt ist gelöscht.',
    skipped: (count) => `Übersprungen, weil der Inhalt gelöscht ist: ${count}.`,
    background: 'Der Dienst erledigt das im Hintergrund. Sie können die Seite verlassen.',
    submit: 'Erneut zustellen',
    requested: (count, text) =>
      count === 1 ? 'Ein Dokument wird erneut zugestellt.' : `${text} Dokumente werden erneut zugestellt.`,
    running: 'Erneute Zustellungen',
    chosen: 'Ausgewählte Dokumente',
    withStatus: (status) => `Zustellung „${status}“`,
    progress: (done, total) => `${done} von ${total}`,
    finished: 'fertig',
  },
};
