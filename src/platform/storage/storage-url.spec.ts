import { parseStorageUrl } from './storage-url';

const KEYS = 'access_key=AKIA1&secret_key=hid+den/';

describe('STORAGE_URL', () => {
  it.each([
    [`s3://documents?${KEYS}`, { bucket: 'documents', prefix: '', region: 'us-east-1', addressing: 'path' }],
    [`s3://documents/live/?region=eu-central-1&${KEYS}`, { prefix: 'live/', region: 'eu-central-1' }],
    [`s3://Doc_u.ments/a/b-c?${KEYS}`, { bucket: 'Doc_u.ments', prefix: 'a/b-c/' }],
    [
      `s3://d?endpoint=https://s3.example.com:9000&addressing=host&${KEYS}`,
      { endpoint: 'https://s3.example.com:9000', addressing: 'host' },
    ],
    [`s3://d?endpoint=http%3A%2F%2Fminio%3A9000%2Fbase&${KEYS}`, { endpoint: 'http://minio:9000/base' }],
    [`s3://d?access_key=A&secret_key=a%26b%23c%25d`, { secretKey: 'a&b#c%d' }],
  ])('is parsed from %s', (text, expected) => {
    expect(parseStorageUrl(text)).toEqual({
      ...parseStorageUrl(`s3://d?${KEYS}`),
      ...parseStorageUrl(text),
      ...expected,
    });
  });

  it('keeps a plus sign in a secret', () => {
    expect(parseStorageUrl(`s3://d?${KEYS}`)).toMatchObject({ accessKey: 'AKIA1', secretKey: 'hid+den/' });
  });

  it('has no keys when it names none', () => {
    expect(parseStorageUrl('s3://documents/live?region=eu-central-1')).toEqual({
      bucket: 'documents',
      prefix: 'live/',
      region: 'eu-central-1',
      addressing: 'path',
    });
  });

  it.each([
    ['https://documents.s3.amazonaws.com', /^must look like s3:/],
    ['documents', /^must look like s3:/],
    [`s3://AKIA1:hidden@documents?region=eu-central-1`, /^must look like s3:/],
    [`s3://documents:9000?${KEYS}`, /^must look like s3:/],
    [`s3://?${KEYS}`, /bucket/],
    [`s3://documents?access_key=AKIA1`, /^needs access_key and secret_key, or none/],
    [`s3://documents?secret_key=hidden`, /^needs access_key and secret_key, or none/],
    [`s3://documents?access_key=&secret_key=`, /^needs access_key and secret_key, or none/],
    [`s3://documents?${KEYS}&secret_key=hidden2`, /each once/],
    [`s3://documents?${KEYS}&hidden=1`, /^takes region, access_key/],
    [`s3://documents?${KEYS}#hidden`, /%26, %23 and %25/],
    [`s3://documents/a b?${KEYS}`, /usable prefix$/],
    [`s3://documents/../x?${KEYS}&region=`, /usable region$/],
    [`s3://documents?${KEYS}&endpoint=s3.example.com`, /usable endpoint$/],
    [`s3://documents?${KEYS}&endpoint=https://u:hidden@s3.example.com`, /usable endpoint$/],
    [`s3://documents?${KEYS}&endpoint=`, /usable endpoint$/],
    [`s3://documents?${KEYS}&endpoint=http://minio:99999`, /usable endpoint$/],
    [`s3://..?${KEYS}`, /usable bucket$/],
    [`s3://:hidden@documents?${KEYS}`, /^must look like s3:/],
    [`s3://documents?access_key=Ä&secret_key=hidden`, /usable access_key$/],
    [`s3://documents?${KEYS}&addressing=virtual`, /usable addressing \(path or host\)$/],
    [`s3://documents?access_key=A,B&secret_key=hidden`, /usable access_key$/],
  ])('rejects %s with a message that does not contain the value', (text, pattern) => {
    let message = '';
    try {
      parseStorageUrl(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(pattern);
    expect(message).not.toMatch(/hid/);
  });
});
