import type { TransactionMessages } from './en';

export const de: TransactionMessages = {
  title: 'Transaktionen',
  lead: 'Jedes abgerufene Dokument und wo es auf seinem Weg zu Ihnen ist.',
  search: 'Dateiname, Nummer, Lieferant oder UUID',
  status: 'Zustellung',
  type: 'Art',
  connection: 'UUID der Verbindung',
  identity: 'UUID der Identität',
  from: 'Abgerufen ab',
  to: 'Abgerufen bis',
  document: 'Dokument',
  amount: 'Datum und Betrag',
  created: 'Abgerufen',
  uuid: 'UUID',
  empty: 'Es gibt noch keine Dokumente. Sie erscheinen hier, sobald eine Verbindung etwas abgerufen hat.',
  documentTypes: {
    invoice: 'Rechnung',
    credit_note: 'Gutschrift',
    receipt: 'Quittung',
    bank_statement: 'Kontoauszug',
    reminder: 'Mahnung',
    delivery_note: 'Lieferschein',
    order_confirmation: 'Auftragsbestätigung',
    contract: 'Vertrag',
    document: 'Dokument',
  },
  statuses: {
    PENDING: 'Wartet',
    DELIVERED: 'Zugestellt',
    FAILED: 'Fehlgeschlagen',
    AVAILABLE: 'Bereit zur Abholung',
    ACKNOWLEDGED: 'Angenommen',
    REJECTED: 'Abgelehnt',
  },
  damaged: 'beschädigt',
  encrypted: 'verschlüsselt',
  duplicate: 'Rechnung mehrfach',
  renditions: (count) => (count === 1 ? '1 weitere Form' : `${count} weitere Formen`),
  valid: 'E-Rechnung gültig',
  invalid: (errors) => (errors === 1 ? 'E-Rechnung: 1 Fehler' : `E-Rechnung: ${errors} Fehler`),
  redeliver: {
    selected: (count) => (count === 1 ? '1 ausgewähltes erneut zustellen' : `${count} ausgewählte erneut zustellen`),
    all: 'Alle passenden erneut zustellen …',
    title: 'Dokumente erneut zustellen?',
    count: {
      PUSH: (count, text) =>
        count === 1
          ? 'Ein Dokument wird erneut an den Endpunkt gesendet.'
          : `${text} Dokumente werden erneut an den Endpunkt gesendet.`,
      WEBHOOK: (count, text) =>
        count === 1
          ? 'Ein Dokument wird den Webhooks erneut gemeldet.'
          : `${text} Dokumente werden den Webhooks erneut gemeldet.`,
      POLLING: (count, text) =>
        count === 1
          ? 'Ein Dokument wird erneut zur Abholung bereitgestellt.'
          : `${text} Dokumente werden erneut zur Abholung bereitgestellt.`,
    },
    note: {
      PUSH: 'Ihr Endpunkt erhält sie mit derselben transaction_uuid wie zuvor und sollte übergehen, was er schon hat.',
      WEBHOOK: 'Sie behalten ihre transaction_uuid: Ihre Anwendung sollte übergehen, was sie schon hat.',
      POLLING:
        'Sie behalten ihren Platz im Feed. Eine Anwendung, die ab ihrem Cursor weiterliest, sieht sie nicht: Sie findet sie mit status=AVAILABLE.',
    },
    nothing: 'Keines dieser Dokumente kann erneut zugestellt werden: Ihr Inhalt ist gelöscht.',
    skipped: (count) => `${count} weitere werden ausgelassen, weil ihr Inhalt gelöscht ist.`,
    background: 'Der Dienst erledigt das im Hintergrund: Sie können die Seite verlassen.',
    submit: 'Erneut zustellen',
    requested: (count, text) =>
      count === 1 ? 'Ein Dokument wird erneut zugestellt.' : `${text} Dokumente werden erneut zugestellt.`,
    running: 'Erneute Zustellungen',
    chosen: 'Ausgewählte Dokumente',
    progress: (done, total) => `${done} von ${total}`,
    finished: 'fertig',
  },
};
