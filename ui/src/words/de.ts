import type { Words } from './en';

/** Every sentence of the hosted UI in German; „Sie“ throughout. */
export const de: Words = {
  language: 'Deutsch',
  otherLanguage: 'English',
  languageSwitch: 'Show this page in English',
  loading: 'Wird geladen …',
  back: 'Zurück',
  cancel: 'Abbrechen',
  retry: 'Erneut versuchen',
  required: 'Pflichtfeld',
  optional: 'optional',
  leave: {
    to: (name) => `Zurück zu ${name}`,
    plain: 'Zurück zur Anwendung',
    finishTo: (name) => `Weiter zu ${name}`,
    finishPlain: 'Weiter',
  },
  overview: {
    title: 'Ihre Quellen',
    lead: 'Aus diesen Quellen werden Dokumente automatisch abgerufen.',
    add: 'Quelle verbinden',
    emptyTitle: 'Noch ist nichts verbunden',
    emptyText:
      'Verbinden Sie einmal ein Postfach, einen Cloud-Speicher oder ein Portal. Danach kommen Ihre Dokumente automatisch.',
    manage: (name) => `„${name}“ verwalten`,
    attention: (count) =>
      count === 1 ? 'Eine Quelle braucht Ihre Aufmerksamkeit.' : `${count} Quellen brauchen Ihre Aufmerksamkeit.`,
  },
  status: {
    ACTIVE: 'Verbunden',
    PENDING: 'Einrichtung offen',
    INVALID_CREDENTIALS: 'Angehalten',
    DISABLED: 'Pausiert',
    DEGRADED: 'Verzögert',
    ACTION_REQUIRED: 'Bitte prüfen',
    FETCHING: 'Ruft ab …',
  },
  fetched: {
    never: 'Es wurde noch nichts abgerufen.',
    running: 'Gerade werden Dokumente abgerufen.',
    last: (when, count) =>
      count === 0
        ? `Letzter Abruf: ${when}, nichts Neues.`
        : count === 1
          ? `Letzter Abruf: ${when}, ein neues Dokument.`
          : `Letzter Abruf: ${when}, ${count} neue Dokumente.`,
    failed: (when) => `Der letzte Abruf (${when}) hat nicht geklappt.`,
    success: (when) => `Letzter erfolgreicher Abruf: ${when}.`,
    next: (when) => `Nächster Abruf: ${when}.`,
    paused: 'Pausiert: Es werden keine Dokumente abgerufen.',
    since: (when) => `Seit ${when}.`,
  },
  action: {
    UPDATE_CREDENTIALS: 'Zugangsdaten neu eingeben',
    AUTHORIZE: 'Zugriff erneut erlauben',
    COMPLETE_SETUP: 'Auswahl treffen',
    FINISH_SETUP: 'Einrichtung abschließen',
    ENABLE: 'Fortsetzen',
  },
  choose: {
    title: 'Was möchten Sie verbinden?',
    search: 'Suchen',
    searchPlaceholder: 'Nach Namen suchen',
    clear: 'Suche leeren',
    all: 'Alle',
    kinds: 'Art der Quelle',
    category: { MAILBOX: 'Postfächer', CLOUD_STORAGE: 'Cloud-Speicher', ACCOUNTING: 'Buchhaltung', PORTAL: 'Portale' },
    recent: 'Zuletzt verwendet',
    others: 'Alle Quellen',
    results: (count) => (count === 1 ? 'Eine Quelle gefunden.' : `${count} Quellen gefunden.`),
    nothing: (query) => `Keine Quelle zu „${query}“ gefunden.`,
    nothingHint: 'Versuchen Sie es mit einem Teil des Namens. Postfächer aller Anbieter finden Sie unter „IMAP“.',
    unavailable: 'Zurzeit nicht verfügbar',
    unavailableText:
      'Diese Quelle ist hier noch nicht eingerichtet oder abgeschaltet. Bitte wenden Sie sich an den Support Ihrer Anwendung.',
  },
  steps: { progress: (step, of) => `Schritt ${step} von ${of}` },
  connect: {
    title: (name) => `${name} verbinden`,
    name: 'Name dieser Quelle',
    nameHelp: 'Damit Sie sie später wiedererkennen.',
    submit: 'Verbinden',
    checking: 'Die Zugangsdaten werden geprüft. Das kann bis zu zehn Sekunden dauern.',
    authorize: (name) => `Weiter zu ${name}`,
    authorizeHint: (name) =>
      `Sie melden sich bei ${name} an und erlauben dort den Zugriff. Ihr Passwort sehen wir nie. Danach kommen Sie hierher zurück.`,
    trust: 'Ihre Zugangsdaten werden verschlüsselt und nur zum Abrufen von Dokumenten verwendet.',
    trustAuthorize: 'Sie können diese Erlaubnis jederzeit zurücknehmen, hier oder beim Anbieter.',
    elsewhere: (name) => `Bei ${name} anmelden`,
    elsewhereText: (name) =>
      `${name} lässt sich nur in einem eigenen Fenster öffnen. Stimmen Sie dort zu und kommen Sie dann zurück: Hier geht es von selbst weiter.`,
    elsewhereOpen: (name) => `${name} öffnen`,
    elsewhereWaiting: 'Wir warten auf Ihre Zustimmung …',
    newWindow: 'in einem neuen Fenster',
  },
  fields: {
    show: 'Passwort anzeigen',
    keep: 'Leer lassen, um die bisherige Eingabe zu behalten.',
    choose: 'Bitte auswählen',
    none: 'Keine Auswahl',
    noMatch: 'Kein Treffer.',
    clearDate: 'Datum leeren',
    openCalendar: 'Im Kalender auswählen',
    summary: (count) => (count === 1 ? 'Bitte prüfen Sie ein Feld.' : `Bitte prüfen Sie ${count} Felder.`),
    fault: {
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
    searchOn: 'Auch die übrigen Ordner durchsuchen',
    searchingOn: 'Weitere Ordner werden durchsucht …',
    chosen: (count) => (count === 0 ? 'Nichts ausgewählt' : `${count} ausgewählt`),
    remove: 'Entfernen',
    loading: 'Ordner werden geladen …',
    failed: 'Diese Ordner konnten nicht geladen werden.',
    empty: 'Keine weiteren Ordner.',
    found: (count) => (count === 1 ? 'Ein Ordner gefunden.' : `${count} Ordner gefunden.`),
    nothing: 'Kein Treffer.',
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
    lead: (name) => `„${name}“ ist eingerichtet. Sie müssen hier nicht warten: Der Abruf läuft im Hintergrund weiter.`,
    waiting: 'Der erste Abruf beginnt gleich.',
    running: 'Dokumente werden gesucht …',
    found: (count) => (count === 1 ? 'Bisher ein Dokument gefunden.' : `Bisher ${count} Dokumente gefunden.`),
    finished: (count) =>
      count === 0
        ? 'Der erste Abruf ist fertig. Es gibt noch keine Dokumente; neue werden automatisch abgerufen.'
        : count === 1
          ? 'Der erste Abruf ist fertig: ein Dokument.'
          : `Der erste Abruf ist fertig: ${count} Dokumente.`,
    partial: (count) =>
      count === 1
        ? 'Ein Dokument konnte nicht gelesen werden. Wir versuchen es von selbst erneut.'
        : `${count} Dokumente konnten nicht gelesen werden. Wir versuchen es von selbst erneut.`,
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
  edit: {
    title: (name) => `Zugangsdaten von „${name}“`,
    titleAuthorize: (name) => `Angaben zu „${name}“`,
    submit: 'Prüfen und speichern',
    saved: 'Ihre Änderungen sind gespeichert.',
    mended: 'Es funktioniert wieder. Was inzwischen angekommen ist, wird jetzt abgerufen.',
    more: 'Alles zu dieser Quelle',
  },
  connection: {
    actions: 'Was Sie tun können',
    fetchNow: 'Jetzt abrufen',
    fetchStarted: 'Der Abruf wurde gestartet.',
    fetchDone: (count) =>
      count === 0
        ? 'Abgerufen: nichts Neues.'
        : count === 1
          ? 'Abgerufen: ein neues Dokument.'
          : `Abgerufen: ${count} neue Dokumente.`,
    fetchFailed: 'Der Abruf hat nicht geklappt.',
    againAt: (when) => `Sie können es ${when} erneut versuchen.`,
    edit: 'Zugangsdaten ändern',
    editAuthorize: 'Angaben ändern',
    selection: 'Auswahl ändern',
    rename: 'Umbenennen',
    disable: 'Pausieren',
    enable: 'Fortsetzen',
    disabled: 'Pausiert. Bis Sie „Fortsetzen“ wählen, wird nichts abgerufen.',
    enabled: 'Fortgesetzt. Dokumente werden wieder abgerufen.',
    renamed: 'Umbenannt.',
    remove: 'Löschen',
    settings: 'Einstellungen',
    noValue: 'nicht gesetzt',
    secret: 'gespeichert, wird nie angezeigt',
    account: 'Konto',
    created: 'Verbunden am',
    startdate: 'Dokumente ab',
    timeline: 'Verlauf',
    timelineEmpty: 'Bisher ist nichts passiert.',
    older: 'Ältere Einträge anzeigen',
    yes: 'Ja',
    no: 'Nein',
  },
  rename: { title: 'Diese Quelle umbenennen', label: 'Name', submit: 'Umbenennen' },
  remove: {
    title: (name) => `„${name}“ löschen?`,
    what: 'Das lässt sich nicht rückgängig machen:',
    consequences: [
      'Die Zugangsdaten werden gelöscht.',
      'Aus dieser Quelle werden keine Dokumente mehr abgerufen.',
      'Dokumente, die hier noch aufbewahrt werden, werden gelöscht. Was die Anwendung schon erhalten hat, bleibt dort.',
    ],
    alternative: 'Wenn Sie nur eine Weile aussetzen möchten, pausieren Sie die Quelle stattdessen.',
    submit: 'Endgültig löschen',
    done: 'Gelöscht.',
    doneText: (name) => `„${name}“ und die zugehörigen Daten wurden gelöscht.`,
  },
  authorization: {
    success: {
      title: 'Das Konto ist verbunden',
      text: 'Sie können diese Seite schließen und zu Ihrer Anwendung zurückkehren.',
    },
    cancelled: {
      title: 'Es wurde nichts geändert',
      text: 'Sie haben keinen Zugriff erlaubt. Sie können diese Seite schließen.',
    },
    error: {
      title: 'Das Konto konnte nicht verbunden werden',
      text: 'Bitte kehren Sie zu Ihrer Anwendung zurück und versuchen Sie es noch einmal.',
    },
    outcome: {
      AUTHORIZED: 'Das Konto ist verbunden.',
      AUTHORIZATION_DENIED: 'Sie haben beim Anbieter keinen Zugriff erlaubt. Es wurde nichts geändert.',
      AUTHORIZATION_EXPIRED:
        'Das hat zu lange gedauert oder wurde inzwischen neu begonnen. Bitte versuchen Sie es noch einmal.',
      AUTHORIZATION_USED:
        'Diese Antwort des Anbieters wurde bereits verwendet. Bitte sehen Sie nach, ob das Konto verbunden ist.',
      AUTHORIZATION_INVALID:
        'Diese Adresse ist nicht gültig oder wurde in einem anderen Browser geöffnet. Bitte beginnen Sie noch einmal.',
      AUTHORIZATION_FAILED: 'Der Anbieter hat die Anmeldung nicht abgeschlossen. Bitte versuchen Sie es noch einmal.',
      ACCOUNT_MISMATCH:
        'Das ist ein anderes Konto als das bisher verbundene. Bitte melden Sie sich mit dem bisherigen an, oder verbinden Sie das andere Konto als neue Quelle.',
      SCOPE_MISSING:
        'Es wurde nicht alles erlaubt, was gebraucht wird. Bitte versuchen Sie es noch einmal und setzen Sie beim Anbieter alle Häkchen.',
      PROVIDER_UNREACHABLE: 'Der Anbieter ist zurzeit nicht erreichbar. Bitte versuchen Sie es später noch einmal.',
      INTEGRATION_NOT_AVAILABLE:
        'Diese Quelle ist zurzeit nicht verfügbar. Das liegt nicht an Ihnen, und Sie müssen nichts tun.',
      INTERNAL_ERROR: 'Bei uns ist etwas schiefgelaufen. Bitte versuchen Sie es noch einmal.',
    },
  },
  expiry: {
    soon: (minutes) =>
      minutes <= 1
        ? 'Zu Ihrer Sicherheit endet diese Sitzung in einer Minute. Bitte speichern Sie Ihre Eingaben.'
        : `Zu Ihrer Sicherheit endet diese Sitzung in ${minutes} Minuten. Bitte speichern Sie Ihre Eingaben.`,
    title: 'Diese Sitzung ist beendet',
    text: 'Zu Ihrer Sicherheit dauert eine Sitzung 30 Minuten. Was Sie gespeichert haben, ist sicher. Bitte gehen Sie zurück und öffnen Sie die Seite erneut.',
    noSessionTitle: 'Bitte öffnen Sie diese Seite aus Ihrer Anwendung',
    noSessionText:
      'Zu Ihrer Sicherheit merkt sich diese Seite nichts: Nach dem Neuladen muss sie über die Schaltfläche in Ihrer Anwendung neu geöffnet werden.',
    invalidTitle: 'Dieser Link ist nicht gültig',
    invalidText:
      'Er ist beschädigt oder gilt nicht mehr. Bitte gehen Sie zurück zu Ihrer Anwendung und öffnen Sie die Seite erneut.',
  },
  problem: {
    network: 'Es besteht keine Internetverbindung, oder der Dienst ist nicht erreichbar. Ihre Eingaben sind noch da.',
    networkTitle: 'Keine Verbindung',
    offline: 'Sie sind offline. Ihre Eingaben sind noch da.',
    server: 'Bei uns ist etwas schiefgelaufen',
    reference: 'Nummer für den Support',
    copy: 'Kopieren',
    copied: 'Kopiert.',
    goneTitle: 'Diese Quelle gibt es nicht mehr',
    goneText: 'Sie wurde gelöscht, hier oder an anderer Stelle.',
    forbiddenTitle: 'Mit diesem Link nicht möglich',
    unavailableTitle: 'Zurzeit nicht verfügbar',
    unexpected: 'Auf dieser Seite ist etwas Unerwartetes passiert. Bitte öffnen Sie sie aus Ihrer Anwendung erneut.',
    waiting: (seconds) => `Zu viele Anfragen. Bitte versuchen Sie es in ${seconds} Sekunden erneut.`,
  },
  when: {
    today: (time) => `heute um ${time} Uhr`,
    tomorrow: (time) => `morgen um ${time} Uhr`,
    yesterday: (time) => `gestern um ${time} Uhr`,
    day: (day, time) => `${day}, ${time} Uhr`,
    now: 'jeden Moment',
  },
};
