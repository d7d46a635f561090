export const en = {
  title: 'Missing sources and invoices',
  parts: 'Missing sources and invoices',
  tabs: { requested: 'Requested sources', expected: 'Missing invoices' },
  requestedLead: 'What users have asked for in the hosted UI because they did not find it.',
  requestedEmpty: 'Nobody has asked for a source yet.',
  text: 'Wanted',
  identity: 'Identity',
  when: 'When',
  expectedLead: 'Monthly suppliers whose next invoice has not come.',
  expectedEmpty: 'No invoice is missing.',
  expectedOff: 'The environment is not told of missing invoices. The support team can switch it on.',
  supplier: 'Supplier',
  unnamed: 'without a name',
  connection: 'Last came from',
  lastDates: 'Dates of the last ones',
  expectedBy: 'In time until',
};

export type SourcesMessages = typeof en;
