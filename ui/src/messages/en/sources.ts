/** Texts about sources: finding, managing and deleting them. */
export const sources = {
  overview: {
    title: 'Your sources',
    lead: 'Documents are fetched from these sources automatically.',
    add: 'Connect a source',
    emptyTitle: 'Nothing is connected yet',
    emptyText: 'Connect a mailbox, cloud storage or a portal once. From then on, your documents arrive automatically.',
    manage: (name: string) => `Manage “${name}”`,
    attention: (count: number) =>
      count === 1 ? 'One source needs your attention.' : `${count} sources need your attention.`,
    groups: 'Filter by status',
    group: { PROBLEM: 'Needs attention', ACTIVE: 'Connected', DISABLED: 'Paused' },
  },
  status: {
    ACTIVE: 'Connected',
    PENDING: 'Setup not finished',
    INVALID_CREDENTIALS: 'Stopped',
    DISABLED: 'Paused',
    DEGRADED: 'Delayed',
    ACTION_REQUIRED: 'Action needed',
    CHECKING: 'Being checked',
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
          : `Last fetch: ${when}, ${count}\u00a0new documents.`,
    failed: (when: string) => `The last fetch (${when}) did not work.`,
    success: (when: string) => `Last successful fetch: ${when}.`,
    next: (when: string) => `Next fetch: ${when}.`,
    paused: 'While the source is paused, no documents are fetched.',
    since: (when: string) => `Since ${when}.`,
  },
  action: {
    UPDATE_CREDENTIALS: 'Enter sign-in details again',
    AUTHORIZE: 'Allow access again',
    COMPLETE_SETUP: 'Update selection',
    FINISH_SETUP: 'Finish setup',
    ENABLE: 'Resume',
  },
  choose: {
    title: 'What would you like to connect?',
    search: 'Search',
    searchPlaceholder: 'Name or e-mail',
    clear: 'Clear the search',
    all: 'All',
    kinds: 'Kind of source',
    category: { MAILBOX: 'Mailboxes', CLOUD_STORAGE: 'Cloud storage', ACCOUNTING: 'Accounting', PORTAL: 'Portals' },
    /** The category of one source. */
    kind: { MAILBOX: 'Mailbox', CLOUD_STORAGE: 'Cloud storage', ACCOUNTING: 'Accounting', PORTAL: 'Portal' },
    recent: 'Recently used',
    others: 'Other sources',
    results: (count: number) => (count === 1 ? 'One source found.' : `${count} sources found.`),
    nothing: (query: string) => `No source found for “${query}”.`,
    mailbox: (address: string) => `Connect the mailbox ${address}`,
    nothingHint: 'Try part of the name or, for a mailbox, its e-mail address.',
    missing: {
      title: 'Your source is missing?',
      label: 'Which source is missing?',
      help: (client: string | null) => `${client ?? 'Your application'} can read this text.`,
      submit: 'Send',
      done: (text: string, client: string | null) =>
        `Thank you. “${text}” has been noted for ${client ?? 'your application'}, where it is decided whether the source is added.`,
    },
    unavailable: 'Not available at the moment',
    unavailableText:
      'This source has not been set up here yet, or has been switched off. Please contact the support of your application.',
  },
  edit: {
    title: (name: string) => `Sign-in details of “${name}”`,
    titleAuthorize: (name: string) => `Details of “${name}”`,
    submit: 'Check and save',
    save: 'Save',
    saved: 'Your changes are saved.',
    more: 'Everything about this source',
  },
  /** Step 1 of a source that needs attention. */
  repair: {
    title: (name: string) => `Reconnect “${name}”`,
    others: 'Other details',
    checkingServer: 'Checking the server. This can take up to ten seconds.',
  },
  /** The fetch after a repair. */
  recovery: {
    waiting: 'Saved. A fetch now shows whether it works.',
    running: 'Fetching what has arrived in the meantime …',
    works: (count: number) =>
      count === 0
        ? 'It works again. Nothing new has arrived in the meantime.'
        : count === 1
          ? 'It works again: one missed document fetched.'
          : `It works again: ${count}\u00a0missed documents fetched.`,
    stillBroken: 'It does not work yet.',
  },
  connection: {
    actions: 'What you can do',
    fetchNow: 'Fetch now',
    quota: (remaining: number) =>
      `You can fetch ${remaining === 1 ? 'one more time' : `${remaining} more times`} this hour.`,
    quotaUsed: (limit: number, when: string) =>
      `All ${limit} fetches of this hour are used. You can fetch again ${when}.`,
    fetchStarted: 'The fetch has started.',
    fetchDone: (count: number) =>
      count === 0
        ? 'Fetched: nothing new.'
        : count === 1
          ? 'Fetched: one new document.'
          : `Fetched: ${count}\u00a0new documents.`,
    fetchFailed: 'The fetch did not work.',
    againAt: (when: string) => `You can try again ${when}.`,
    edit: 'Change sign-in details',
    editAuthorize: 'Change details',
    selection: 'Change selection',
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
  documents: {
    title: 'Documents',
    read: 'View invoice',
  },
  rename: { title: 'Rename this source', label: 'Name', submit: 'Rename' },
  remove: {
    title: (name: string) => `Delete “${name}”?`,
    what: 'This cannot be undone:',
    consequences: (client: string | null) => [
      'The sign-in details are deleted.',
      'No more documents are fetched from this source.',
      `Documents that are still stored here are deleted. What ${client ?? 'your application'} has already received stays there.`,
    ],
    alternative: 'If you only want to stop for a while, pause the source instead.',
    submit: 'Delete permanently',
    done: 'Deleted.',
    doneText: (name: string) => `“${name}” and its data have been deleted.`,
  },
};
