export const SECRETS = ['hunter2-password', 'hunter2-key'];
const LOGIN = { user: 'anna', password: SECRETS[0] };

/** Step-1 fields of each connector whose server the user types, with TLS or without, and the field that names the server. */
export const CONNECTORS = {
  imap: {
    server: 'host',
    fields: (host: string, port: number, tls: boolean) => ({
      ...{ host, port, security: tls ? 'TLS' : 'NONE' },
      ...LOGIN,
    }),
  },
  ftp: {
    server: 'host',
    fields: (host: string, port: number, tls: boolean) => ({
      ...{ host, port, security: tls ? 'IMPLICIT' : 'NONE' },
      ...LOGIN,
    }),
  },
  webdav: {
    server: 'url',
    fields: (host: string, port: number, tls: boolean) => ({
      url: `${tls ? 'https' : 'http'}://${host}:${port}/`,
      ...LOGIN,
    }),
  },
  s3: {
    server: 'endpoint',
    fields: (host: string, port: number, tls: boolean) => ({
      ...{ endpoint: `${tls ? 'https' : 'http'}://${host}:${port}`, region: 'eu-central-1', bucket: 'belege' },
      ...{ access_key: 'AKIAIOSFODNN7EXAMPLE', secret_key: SECRETS[1] },
    }),
  },
  sftp: { server: 'host', fields: (host: string, port: number) => ({ host, port, ...LOGIN }) },
} as const;
export type Connector = keyof typeof CONNECTORS;
export const ALL = Object.keys(CONNECTORS) as Connector[];
export const WITH_TLS = ALL.filter((id) => id !== 'sftp');
