import type { setup as english } from '../en/setup';

export const setup: typeof english = {
  steps: { progress: (step, of) => `Schritt ${step} von ${of}` },
  connect: {
    title: (name) => `${name} verbinden`,
    titleSetUp: (name) => `${name} einrichten`,
    name: 'Name dieser Quelle',
    nameHelp: 'Damit Sie sie später wiedererkennen.',
    submit: 'Verbinden',
    setUp: 'Einrichten',
    checking: 'Die Zugangsdaten werden geprüft. Das kann bis zu zehn Sekunden dauern.',
    authorize: (name) => `Weiter zu ${name}`,
    authorizeHint: (name) =>
      `Sie melden sich bei ${name} an und erlauben dort den Zugriff. Ihr Passwort sehen wir nie. Danach kommen Sie hierher zurück.`,
    trust: 'Ihre Zugangsdaten werden verschlüsselt und nur zum Abrufen von Dokumenten verwendet.',
    trustAuthorize: 'Sie können den Zugriff jederzeit widerrufen, hier oder beim Anbieter.',
  },
  serverTrust: {
    title: 'Ist das der richtige Server?',
    text: 'Ihre Zugangsdaten wurden noch nicht gesendet. Bitte vergleichen Sie diesen Fingerabdruck mit dem, den Ihnen der Betreiber des Servers nennt.',
    fingerprint: 'Fingerabdruck',
    otherwise:
      'Weichen die beiden voneinander ab, fahren Sie nicht fort: Ein fremder Rechner könnte sich als dieser Server ausgeben.',
    accept: 'Ich habe den Fingerabdruck verglichen und vertraue diesem Server',
  },
  fields: {
    find: 'Wie bekomme ich das?',
    newTab: 'öffnet sich in einem neuen Tab',
    show: (label: string) => `${label} anzeigen`,
    keep: 'Leer lassen, um die bisherige Eingabe zu behalten.',
    choose: 'Bitte auswählen',
    none: 'Keine Auswahl',
    noMatch: 'Keine Treffer.',
    clearDate: 'Datum leeren',
    loadAgain: 'Feld erneut laden',
    openCalendar: 'Im Kalender auswählen',
    advanced: 'Weitere Einstellungen',
    notEncrypted: 'Der Server antwortet hier, aber nicht verschlüsselt.',
    useStartTls: 'STARTTLS verwenden',
    summary: (count) =>
      count === 1 ? 'Bitte prüfen Sie das markierte Feld.' : `Bitte prüfen Sie die ${count} markierten Felder.`,
    errors: {
      REQUIRED: 'Bitte füllen Sie dieses Feld aus.',
      REQUIRED_CHOICE: 'Bitte wählen Sie etwas aus.',
      NOT_A_NUMBER: 'Bitte geben Sie eine Zahl ein.',
      TOO_SMALL: (limit) => `Bitte geben Sie mindestens ${limit} ein.`,
      TOO_LARGE: (limit) => `Bitte geben Sie höchstens ${limit} ein.`,
      TOO_EARLY: (limit) => `Der früheste mögliche Tag ist der ${limit}.`,
      TOO_LATE: (limit) => `Der späteste mögliche Tag ist der ${limit}.`,
      TOO_SHORT: (limit) => `Bitte geben Sie mindestens ${limit} Zeichen ein.`,
      TOO_LONG: (limit) => `Bitte geben Sie höchstens ${limit} Zeichen ein.`,
      INVALID_FORMAT: 'Das sieht nicht richtig aus. Bitte prüfen Sie Ihre Eingabe.',
      INVALID_EMAIL: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
      INVALID_URL: 'Bitte geben Sie eine Adresse ein, die mit https:// beginnt.',
      INVALID_DATE: 'Bitte geben Sie ein vollständiges Datum ein.',
    },
  },
  tree: {
    search: 'In den Ordnern suchen',
    searchHint: 'Durchsucht werden die bisher geöffneten Ordner.',
    searchMore: 'Auch die übrigen Ordner durchsuchen',
    searchingMore: 'Weitere Ordner werden durchsucht …',
    selected: (count) => (count === 0 ? 'Nichts ausgewählt' : `${count} ausgewählt`),
    remove: 'Entfernen',
    loading: 'Ordner werden geladen …',
    failed: 'Nicht geladen.',
    empty: 'Keine weiteren Ordner.',
    found: (count) => (count === 1 ? 'Ein Ordner gefunden.' : `${count} Ordner gefunden.`),
    nothing: 'Keine Treffer.',
    gone: 'nicht mehr vorhanden',
    in: (path) => `in ${path}`,
  },
  content: {
    title: 'Was soll abgerufen werden?',
    titleEdit: 'Auswahl ändern',
    loading: 'Wir sehen nach, was es bei Ihrem Anbieter gibt …',
    submit: 'Speichern und Abruf starten',
    submitEdit: 'Speichern',
    saving: 'Wird gespeichert …',
    saved: 'Ihre Auswahl ist gespeichert.',
  },
  done: {
    title: 'Verbunden',
    lead: (name) => `„${name}“ ist eingerichtet.`,
    noWaiting: 'Sie müssen hier nicht warten: Der Abruf läuft im Hintergrund weiter.',
    waiting: 'Der erste Abruf beginnt gleich.',
    running: 'Dokumente werden gesucht …',
    found: (count) => (count === 1 ? 'Bisher ein Dokument gefunden.' : `Bisher ${count}\u00a0Dokumente gefunden.`),
    finished: (count) =>
      count === 0
        ? 'Der erste Abruf ist fertig. Es gibt noch keine Dokumente; neue werden automatisch abgerufen.'
        : count === 1
          ? 'Der erste Abruf ist fertig: ein Dokument.'
          : `Der erste Abruf ist fertig: ${count}\u00a0Dokumente.`,
    partial: (count) =>
      count === 1
        ? 'Ein Dokument konnte nicht abgerufen werden. Wir versuchen es automatisch erneut.'
        : `${count} Dokumente konnten nicht abgerufen werden. Wir versuchen es automatisch erneut.`,
    failed: 'Der erste Abruf hat nicht geklappt.',
    documents: 'Gefundene Dokumente',
    andMore: (count) => `und ${count} weitere`,
    another: 'Weitere Quelle verbinden',
    overview: 'Zu allen Quellen',
    manage: 'Diese Quelle verwalten',
  },
  documentType: {
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
};
