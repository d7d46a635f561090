/** Every sentence of the hosted UI in English. `de.ts` has the same in German; what the service says comes from the service. */
export const en = {
  language: 'English',
  otherLanguage: 'Deutsch',
  languageSwitch: 'Diese Seite auf Deutsch anzeigen',
  loading: 'Loading …',
  back: 'Back',
  cancel: 'Cancel',
  retry: 'Try again',
  required: 'required',
  optional: 'optional',
  leave: {
    to: (name: string) => `Back to ${name}`,
    plain: 'Back to the application',
    finishTo: (name: string) => `Continue to ${name}`,
    finishPlain: 'Continue',
  },
  overview: {
    title: 'Your sources',
    lead: 'Documents are fetched from these sources automatically.',
    add: 'Connect a source',
    emptyTitle: 'Nothing is connected yet',
    emptyText: 'Connect a mailbox, a cloud storage or a portal once. From then on your documents arrive automatically.',
    manage: (name: string) => `Manage “${name}”`,
    attention: (count: number) =>
      count === 1 ? 'One source needs your attention.' : `${count} sources need your attention.`,
  },
  status: {
    ACTIVE: 'Connected',
    PENDING: 'Setup not finished',
    INVALID_CREDENTIALS: 'Stopped',
    DISABLED: 'Paused',
    DEGRADED: 'Delayed',
    ACTION_REQUIRED: 'Action needed',
    FETCHING: 'Fetching …',
  },
  fetched: {
    never: 'Nothing has been fetched yet.',
    running: 'Documents are being fetched right now.',
    last: (when: string, count: number) =>
      count === 0
        ? `Last fetch: ${when}, nothing new.`
        : count === 1
          ? `Last fetch: ${when}, one new document.`
          : `Last fetch: ${when}, ${count} new documents.`,
    failed: (when: string) => `The last fetch (${when}) did not work.`,
    success: (when: string) => `Last successful fetch: ${when}.`,
    next: (when: string) => `Next fetch: ${when}.`,
    paused: 'Paused: no documents are fetched.',
    since: (when: string) => `Since ${when}.`,
  },
  action: {
    UPDATE_CREDENTIALS: 'Enter access data again',
    AUTHORIZE: 'Give access again',
    COMPLETE_SETUP: 'Choose what is fetched',
    FINISH_SETUP: 'Finish the setup',
    ENABLE: 'Resume',
  },
  choose: {
    title: 'What would you like to connect?',
    search: 'Search',
    searchPlaceholder: 'Search by name',
    clear: 'Clear the search',
    all: 'All',
    kinds: 'Kind of source',
    category: { MAILBOX: 'Mailboxes', CLOUD_STORAGE: 'Cloud storage', ACCOUNTING: 'Accounting', PORTAL: 'Portals' },
    recent: 'Recently used',
    others: 'All sources',
    results: (count: number) => (count === 1 ? 'One source found.' : `${count} sources found.`),
    nothing: (query: string) => `No source found for “${query}”.`,
    nothingHint: 'Try part of the name. Mailboxes of all providers are found under “IMAP”.',
    unavailable: 'Not available at the moment',
    unavailableText:
      'This source has not been set up here yet, or is switched off. Please ask the support of your application.',
  },
  steps: { progress: (step: number, of: number) => `Step ${step} of ${of}` },
  connect: {
    title: (name: string) => `Connect ${name}`,
    name: 'Name of this source',
    nameHelp: 'So that you recognise it later.',
    submit: 'Connect',
    checking: 'Checking the access data. This can take up to ten seconds.',
    authorize: (name: string) => `Continue to ${name}`,
    authorizeHint: (name: string) =>
      `You sign in at ${name} and allow access there. We never see your password. Afterwards you come back here.`,
    trust: 'Your access data is encrypted and used for nothing but fetching documents.',
    trustAuthorize: 'You can take this permission back at any time, here or at the provider.',
    elsewhere: (name: string) => `Sign in at ${name}`,
    elsewhereText: (name: string) =>
      `${name} only opens in a window of its own. Agree there, then come back: this page goes on by itself.`,
    elsewhereOpen: (name: string) => `Open ${name}`,
    elsewhereWaiting: 'Waiting for your permission …',
    newWindow: 'in a new window',
  },
  fields: {
    show: 'Show password',
    keep: 'Leave empty to keep the current one.',
    choose: 'Please choose',
    none: 'None',
    noMatch: 'No match.',
    clearDate: 'Clear the date',
    openCalendar: 'Choose in the calendar',
    summary: (count: number) => (count === 1 ? 'Please check one field.' : `Please check ${count} fields.`),
    fault: {
      REQUIRED: 'Please fill in this field.',
      REQUIRED_CHOICE: 'Please choose something.',
      NOT_A_NUMBER: 'Please enter a number.',
      TOO_SMALL: (limit: string) => `Please enter at least ${limit}.`,
      TOO_LARGE: (limit: string) => `Please enter at most ${limit}.`,
      TOO_EARLY: (limit: string) => `The earliest possible day is ${limit}.`,
      TOO_LATE: (limit: string) => `The latest possible day is ${limit}.`,
      TOO_SHORT: (limit: string) => `Please enter at least ${limit} characters.`,
      TOO_LONG: (limit: string) => `Please enter at most ${limit} characters.`,
      INVALID_FORMAT: 'This does not look right. Please check it.',
      INVALID_EMAIL: 'Please enter an e-mail address like name@example.com.',
      INVALID_URL: 'Please enter an address that begins with https://.',
      INVALID_DATE: 'Please enter a complete date.',
    },
  },
  tree: {
    search: 'Search in the folders',
    searchHint: 'The search covers the folders that have been opened so far.',
    searchOn: 'Search the other folders, too',
    searchingOn: 'Looking into more folders …',
    chosen: (count: number) => (count === 0 ? 'Nothing selected' : `${count} selected`),
    remove: 'Remove',
    loading: 'Loading folders …',
    failed: 'These folders could not be loaded.',
    empty: 'No folders in here.',
    found: (count: number) => (count === 1 ? 'One folder found.' : `${count} folders found.`),
    nothing: 'No match.',
    in: (path: string) => `in ${path}`,
  },
  content: {
    title: 'What should be fetched?',
    titleEdit: 'Change the selection',
    loading: 'Looking up what your provider offers …',
    submit: 'Save and start fetching',
    submitEdit: 'Save',
    saving: 'Saving …',
    saved: 'Your selection is saved.',
  },
  done: {
    title: 'Connected',
    lead: (name: string) => `“${name}” is set up. You do not have to wait: fetching goes on in the background.`,
    waiting: 'The first fetch is about to begin.',
    running: 'Looking for documents …',
    found: (count: number) => (count === 1 ? 'One document found so far.' : `${count} documents found so far.`),
    finished: (count: number) =>
      count === 0
        ? 'The first fetch is done. There are no documents yet; new ones are fetched automatically.'
        : count === 1
          ? 'The first fetch is done: one document.'
          : `The first fetch is done: ${count} documents.`,
    partial: (count: number) =>
      count === 1
        ? 'One document could not be read. We will try again automatically.'
        : `${count} documents could not be read. We will try again automatically.`,
    failed: 'The first fetch did not work.',
    documents: 'Documents found',
    andMore: (count: number) => `and ${count} more`,
    another: 'Connect another source',
    overview: 'To all sources',
    manage: 'Manage this source',
  },
  documentType: {
    invoice: 'Invoice',
    credit_note: 'Credit note',
    receipt: 'Receipt',
    bank_statement: 'Bank statement',
    reminder: 'Reminder',
    delivery_note: 'Delivery note',
    order_confirmation: 'Order confirmation',
    contract: 'Contract',
    document: 'Document',
  },
  edit: {
    title: (name: string) => `Access data of “${name}”`,
    titleAuthorize: (name: string) => `Details of “${name}”`,
    submit: 'Check and save',
    saved: 'Your changes are saved.',
    mended: 'It works again. What has arrived in the meantime is being fetched now.',
    more: 'Everything about this source',
  },
  connection: {
    actions: 'What you can do',
    fetchNow: 'Fetch now',
    fetchStarted: 'The fetch has been started.',
    fetchDone: (count: number) =>
      count === 0
        ? 'Fetched: nothing new.'
        : count === 1
          ? 'Fetched: one new document.'
          : `Fetched: ${count} new documents.`,
    fetchFailed: 'The fetch did not work.',
    againAt: (when: string) => `You can try again ${when}.`,
    edit: 'Change access data',
    editAuthorize: 'Change details',
    selection: 'Change the selection',
    rename: 'Rename',
    disable: 'Pause',
    enable: 'Resume',
    disabled: 'Paused. Nothing is fetched until you resume.',
    enabled: 'Resumed. Documents are fetched again.',
    renamed: 'Renamed.',
    remove: 'Delete',
    settings: 'Settings',
    noValue: 'not set',
    secret: 'stored, never shown',
    account: 'Account',
    created: 'Connected on',
    startdate: 'Documents from',
    timeline: 'History',
    timelineEmpty: 'Nothing has happened yet.',
    older: 'Show older entries',
    yes: 'Yes',
    no: 'No',
  },
  rename: { title: 'Rename this source', label: 'Name', submit: 'Rename' },
  remove: {
    title: (name: string) => `Delete “${name}”?`,
    what: 'This cannot be undone:',
    consequences: [
      'The access data is deleted.',
      'No more documents are fetched from this source.',
      'Documents that are still kept here are deleted. What the application has already received stays there.',
    ],
    alternative: 'If you only want to stop for a while, pause it instead.',
    submit: 'Delete for good',
    done: 'Deleted.',
    doneText: (name: string) => `“${name}” and its data have been deleted.`,
  },
  authorization: {
    success: { title: 'The account is connected', text: 'You can close this page and go back to your application.' },
    cancelled: {
      title: 'Nothing has been changed',
      text: 'You did not give permission. You can close this page.',
    },
    error: {
      title: 'The account could not be connected',
      text: 'Please go back to your application and try again.',
    },
    /** How the way to a provider ended: said in the language of the session, which nobody knows before it has been given back. */
    outcome: {
      AUTHORIZED: 'The account is connected.',
      AUTHORIZATION_DENIED: 'You did not give permission at the provider. Nothing has been changed.',
      AUTHORIZATION_EXPIRED: 'That took too long, or was started again in the meantime. Please try again.',
      AUTHORIZATION_USED:
        'This answer of the provider has been used already. Please check whether the account is connected.',
      AUTHORIZATION_INVALID: 'This address is not valid, or was opened in another browser. Please start again.',
      AUTHORIZATION_FAILED: 'The provider did not complete the sign-in. Please try again.',
      ACCOUNT_MISMATCH:
        'That is another account than the one connected before. Please sign in with the former one, or connect the other account as a new source.',
      SCOPE_MISSING: 'Not everything that is needed was allowed. Please try again and tick every box at the provider.',
      PROVIDER_UNREACHABLE: 'The provider cannot be reached at the moment. Please try again later.',
      INTEGRATION_NOT_AVAILABLE:
        'This source is not available at the moment. It is not your fault; there is nothing you need to do.',
      INTERNAL_ERROR: 'Something went wrong on our side. Please try again.',
    },
  },
  expiry: {
    soon: (minutes: number) =>
      minutes <= 1
        ? 'For your safety, this session ends in a minute. Please save what you have entered.'
        : `For your safety, this session ends in ${minutes} minutes. Please save what you have entered.`,
    title: 'This session has ended',
    text: 'For your safety a session lasts 30 minutes. What you have saved is safe. Please go back and open the page again.',
    noSessionTitle: 'Please open this page from your application',
    noSessionText:
      'For your safety this page remembers nothing: after a reload it has to be opened anew, with the button in your application.',
    invalidTitle: 'This link is not valid',
    invalidText: 'It may be damaged or no longer in force. Please go back to your application and open the page again.',
  },
  problem: {
    network: 'No connection to the internet, or the service cannot be reached. What you have entered is still here.',
    networkTitle: 'No connection',
    offline: 'You are offline. What you have entered is still here.',
    server: 'Something went wrong on our side',
    reference: 'Reference for support',
    copy: 'Copy',
    copied: 'Copied.',
    goneTitle: 'This source no longer exists',
    goneText: 'It has been deleted, here or elsewhere.',
    forbiddenTitle: 'Not possible with this link',
    unavailableTitle: 'Not available at the moment',
    unexpected: 'Something unexpected happened on this page. Please open it again from your application.',
    waiting: (seconds: number) => `Too many requests. Please try again in ${seconds} seconds.`,
  },
  when: {
    today: (time: string) => `today at ${time}`,
    tomorrow: (time: string) => `tomorrow at ${time}`,
    yesterday: (time: string) => `yesterday at ${time}`,
    day: (day: string, time: string) => `${day}, ${time}`,
    now: 'any moment now',
  },
};

export type Words = typeof en;
