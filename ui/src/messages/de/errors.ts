import type { errors as english } from '../en/errors';

export const errors: typeof english = {
  authorization: {
    success: {
      title: 'Das Konto ist verbunden',
      text: 'Sie können diese Seite schließen und zu Ihrer Anwendung zurückkehren.',
    },
    cancelled: {
      title: 'Es wurde nichts geändert',
      text: 'Sie haben keinen Zugriff erlaubt. Sie können diese Seite schließen und zu Ihrer Anwendung zurückkehren.',
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
        'Diese Antwort des Anbieters wurde bereits verwendet. Bitte prüfen Sie, ob das Konto verbunden ist.',
      AUTHORIZATION_INVALID:
        'Dieser Link ist nicht gültig oder wurde in einem anderen Browser geöffnet. Bitte beginnen Sie noch einmal.',
      AUTHORIZATION_FAILED: 'Der Anbieter hat die Anmeldung nicht abgeschlossen. Bitte versuchen Sie es noch einmal.',
      ACCOUNT_WITHOUT_ACCESS:
        'Das Konto, mit dem Sie sich angemeldet haben, hat keinen Zugriff auf dieses Postfach. Bitte prüfen Sie die Adresse des Postfachs, oder melden Sie sich mit einem anderen Konto an.',
      ACCOUNT_MISMATCH:
        'Das ist ein anderes Konto als das bisher verbundene. Bitte melden Sie sich mit dem bisherigen an, oder verbinden Sie das andere Konto als neue Quelle.',
      SCOPE_MISSING:
        'Es wurden nicht alle nötigen Berechtigungen erteilt. Bitte versuchen Sie es noch einmal und setzen Sie beim Anbieter alle Häkchen.',
      PROVIDER_UNREACHABLE: 'Der Anbieter ist zurzeit nicht erreichbar. Bitte versuchen Sie es später noch einmal.',
      INTEGRATION_NOT_AVAILABLE:
        'Diese Quelle ist zurzeit nicht verfügbar. Bitte wenden Sie sich an den Support Ihrer Anwendung.',
      INTERNAL_ERROR: 'Bei uns ist etwas schiefgelaufen. Bitte versuchen Sie es noch einmal.',
    },
    goBack: 'Bitte kehren Sie dazu zu Ihrer Anwendung zurück.',
  },
  expiry: {
    soon: (minutes) =>
      minutes <= 1
        ? 'Zu Ihrer Sicherheit endet diese Sitzung in einer Minute. Nicht gespeicherte Eingaben gehen dann verloren.'
        : `Zu Ihrer Sicherheit endet diese Sitzung in ${minutes}\u00a0Minuten. Nicht gespeicherte Eingaben gehen dann verloren.`,
    title: 'Diese Sitzung ist beendet',
    text: 'Zu Ihrer Sicherheit dauert eine Sitzung 30 Minuten. Was Sie gespeichert haben, ist sicher. Bitte gehen Sie zurück und öffnen Sie die Seite erneut.',
    noSessionTitle: 'Bitte öffnen Sie diese Seite aus Ihrer Anwendung',
    noSessionText: 'Nur so wissen wir, wer Sie sind. Bitte klicken Sie dort noch einmal auf die Schaltfläche.',
    invalidTitle: 'Dieser Link ist nicht gültig',
    invalidText:
      'Er ist unvollständig oder abgelaufen. Bitte gehen Sie zurück zu Ihrer Anwendung und öffnen Sie die Seite erneut.',
  },
  problem: {
    network: 'Es besteht keine Internetverbindung, oder der Dienst ist nicht erreichbar.',
    networkTitle: 'Keine Verbindung',
    offline: 'Sie sind offline.',
    retryOnline: 'Bitte versuchen Sie es erneut, sobald Sie wieder online sind.',
    inputKept: 'Ihre Eingaben sind noch da.',
    server: 'Bei uns ist etwas schiefgelaufen',
    reference: 'Nummer für den Support',
    copy: 'Kopieren',
    copied: 'Kopiert.',
    notFoundTitle: 'Diese Quelle gibt es nicht mehr',
    notFoundText: 'Sie wurde gelöscht, hier oder an anderer Stelle.',
    forbiddenTitle: 'Mit diesem Link nicht möglich',
    unavailableTitle: 'Zurzeit nicht verfügbar',
    unexpected: 'Etwas Unerwartetes ist passiert. Bitte öffnen Sie diese Seite erneut aus Ihrer Anwendung.',
    waiting: (seconds) =>
      `Zu viele Anfragen. Bitte versuchen Sie es in ${seconds === 1 ? 'einer Sekunde' : `${seconds}\u00a0Sekunden`} erneut.`,
  },
};
