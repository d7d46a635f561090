import type { ManagedEnvironment } from '@docfetch/sdk';
import { changeOf, draftOf } from './settings-draft';

const ENVIRONMENT: Partial<ManagedEnvironment> = {
  ...{ name: 'Production', fetch_interval_minutes: 1440, push_limit_bytes: 52_428_800 },
  ...{ return_origins: ['https://app.example.com'], embedding_origins: [], browser_origins: [] },
  ...{ retention_days: 90, retention_delivered_days: 7, retention_class: 'STANDARD', mail_policy: 'RECORD' },
  ...{ text_extraction: true, hold_duplicates: false, expected_documents: false, console_content: true },
};
const environment = ENVIRONMENT as ManagedEnvironment;
const change = (given: object) => changeOf({ ...draftOf(environment), ...given }, environment);

describe('a change of settings', () => {
  it('contains only what was changed', () => {
    expect(change({})).toEqual({});
    expect(change({ name: ' Live ', hold_duplicates: true })).toEqual({ name: 'Live', hold_duplicates: true });
  });

  it('has one origin of each line, and the limit in bytes', () => {
    expect(change({ return_origins: 'https://a.example\n\n https://b.example ', push_limit_bytes: '1.5' })).toEqual({
      return_origins: ['https://a.example', 'https://b.example'],
      push_limit_bytes: 1_572_864,
    });
    expect(change({ return_origins: '' })).toEqual({ return_origins: [] });
  });

  it('leaves it to the API to say what is wrong', () => {
    expect(change({ retention_days: '', fetch_interval_minutes: 'often' })).toEqual({
      retention_days: '',
      fetch_interval_minutes: 'often',
    });
  });
});
