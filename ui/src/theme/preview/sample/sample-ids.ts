/** The integration whose form the preview shows, and the source that it opens. */
export const SAMPLE_INTEGRATION = 'imap';
export const SAMPLE_SOURCE = '00000000-0000-7000-8000-000000000001';
