export const en = {
  title: 'Missing sources and invoices',
  parts: 'Missing sources and invoices',
  tabs: { requested: 'Requested sources', expected: 'Missing invoices' },
  requestedLead: 'Sources that users did not find in the hosted UI and asked for.',
  requestedEmpty: 'No source has been requested yet.',
  text: 'Requested source',
  identity: 'Identity',
  when: 'Time',
  expectedLead: 'Monthly suppliers whose next invoice had not come in time. It may have arrived since.',
  expectedEmpty: 'No missing invoice has been reported.',
  expectedOff: 'Missing invoices are not reported in this environment. The support team can switch this on.',
  supplier: 'Supplier',
  unnamed: 'without a name',
  connection: 'Last received from',
  lastDates: 'Dates of the last invoices',
  expectedBy: 'Expected by',
};

export type SourcesMessages = typeof en;
