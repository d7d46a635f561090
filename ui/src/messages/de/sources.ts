import type { sources as english } from '../en/sources';

export const sources: typeof english = {
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
    groups: 'Nach Status filtern',
    group: { PROBLEM: 'Aufmerksamkeit nötig', ACTIVE: 'Verbunden', DISABLED: 'Pausiert' },
  },
  status: {
    ACTIVE: 'Verbunden',
    PENDING: 'Einrichtung offen',
    INVALID_CREDENTIALS: 'Angehalten',
    DISABLED: 'Pausiert',
    DEGRADED: 'Verzögert',
    ACTION_REQUIRED: 'Bitte prüfen',
    CHECKING: 'Wird geprüft',
    FETCHING: 'Abruf läuft',
  },
  fetched: {
    never: 'Es wurde noch nichts abgerufen.',
    running: 'Gerade werden Dokumente abgerufen.',
    last: (when, count) =>
      count === 0
        ? `Letzter Abruf: ${when}, nichts Neues.`
        : count === 1
          ? `Letzter Abruf: ${when}, ein neues Dokument.`
          : `Letzter Abruf: ${when}, ${count}\u00a0neue Dokumente.`,
    failed: (when) => `Der letzte Abruf (${when}) hat nicht geklappt.`,
    success: (when) => `Letzter erfolgreicher Abruf: ${when}.`,
    next: (when) => `Nächster Abruf: ${when}.`,
    paused: 'Solange die Quelle pausiert ist, werden keine Dokumente abgerufen.',
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
    searchPlaceholder: 'Name oder E-Mail',
    clear: 'Suche leeren',
    all: 'Alle',
    kinds: 'Art der Quelle',
    category: { MAILBOX: 'Postfächer', CLOUD_STORAGE: 'Cloud-Speicher', ACCOUNTING: 'Buchhaltung', PORTAL: 'Portale' },
    kind: { MAILBOX: 'Postfach', CLOUD_STORAGE: 'Cloud-Speicher', ACCOUNTING: 'Buchhaltung', PORTAL: 'Portal' },
    recent: 'Zuletzt verwendet',
    others: 'Weitere Quellen',
    results: (count) => (count === 1 ? 'Eine Quelle gefunden.' : `${count} Quellen gefunden.`),
    nothing: (query) => `Keine Quelle zu „${query}“ gefunden.`,
    mailbox: (address) => `Postfach ${address} verbinden`,
    nothingHint: 'Versuchen Sie es mit einem Teil des Namens oder, bei einem Postfach, mit der E-Mail-Adresse.',
    missing: {
      title: 'Ihre Quelle fehlt?',
      label: 'Welche Quelle fehlt?',
      help: (client) => `${client ?? 'Ihre Anwendung'} kann diesen Text lesen.`,
      submit: 'Senden',
      done: (text, client) =>
        `Danke. „${text}“ ist für ${client ?? 'Ihre Anwendung'} vermerkt. Dort wird entschieden, ob die Quelle hinzukommt.`,
    },
    unavailable: 'Zurzeit nicht verfügbar',
    unavailableText:
      'Diese Quelle ist hier noch nicht eingerichtet oder wurde abgeschaltet. Bitte wenden Sie sich an den Support Ihrer Anwendung.',
  },
  edit: {
    title: (name) => `Zugangsdaten von „${name}“`,
    titleAuthorize: (name) => `Angaben zu „${name}“`,
    submit: 'Prüfen und speichern',
    save: 'Speichern',
    saved: 'Ihre Änderungen sind gespeichert.',
    more: 'Alles zu dieser Quelle',
  },
  repair: {
    title: (name) => `„${name}“ wieder verbinden`,
    others: 'Weitere Angaben',
    checkingServer: 'Der Server wird geprüft. Das kann bis zu zehn Sekunden dauern.',
  },
  recovery: {
    waiting: 'Gespeichert. Ein Abruf zeigt jetzt, ob es funktioniert.',
    running: 'Was inzwischen angekommen ist, wird abgerufen …',
    works: (count) =>
      count === 0
        ? 'Es funktioniert wieder. Inzwischen ist nichts Neues angekommen.'
        : count === 1
          ? 'Es funktioniert wieder: ein Dokument nachgeholt.'
          : `Es funktioniert wieder: ${count}\u00a0Dokumente nachgeholt.`,
    stillBroken: 'Es funktioniert noch nicht.',
  },
  connection: {
    actions: 'Was Sie tun können',
    fetchNow: 'Jetzt abrufen',
    quota: (remaining) =>
      `Sie können in dieser Stunde noch ${remaining === 1 ? 'ein Mal' : `${remaining}-mal`} abrufen.`,
    quotaUsed: (limit, when) =>
      `Alle ${limit} Abrufe dieser Stunde sind verbraucht. Sie können ${when} erneut abrufen.`,
    fetchStarted: 'Der Abruf wurde gestartet.',
    fetchDone: (count) =>
      count === 0
        ? 'Abgerufen: nichts Neues.'
        : count === 1
          ? 'Abgerufen: ein neues Dokument.'
          : `Abgerufen: ${count}\u00a0neue Dokumente.`,
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
  documents: {
    title: 'Dokumente',
    read: 'Rechnung ansehen',
  },
  rename: { title: 'Diese Quelle umbenennen', label: 'Name', submit: 'Umbenennen' },
  remove: {
    title: (name) => `„${name}“ löschen?`,
    what: 'Das lässt sich nicht rückgängig machen:',
    consequences: (client) => [
      'Die Zugangsdaten werden gelöscht.',
      'Aus dieser Quelle werden keine Dokumente mehr abgerufen.',
      `Dokumente, die hier noch gespeichert sind, werden gelöscht. Was ${client ?? 'Ihre Anwendung'} schon erhalten hat, bleibt dort.`,
    ],
    alternative: 'Wenn Sie nur eine Weile aussetzen möchten, pausieren Sie die Quelle stattdessen.',
    submit: 'Endgültig löschen',
    done: 'Gelöscht.',
    doneText: (name) => `„${name}“ und die zugehörigen Daten wurden gelöscht.`,
  },
};
