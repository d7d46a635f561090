import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '../demo/api';
import { freePort } from '../demo/free-port';
import { Service, settingsOfFreshCheckout } from '../demo/service';
import { FakeDavServer } from '../fakes/webdav/fake-dav-server';

const LARGE_BYTES = 100 * 1024 * 1024;
const FETCH_MS = 120_000;
const RETURN_ORIGIN = 'https://app.example.com';
const RETURN_URL = `${RETURN_ORIGIN}/back`;

interface CreatedEnvironment {
  readonly environment_uuid: string;
  readonly api_key: string;
  readonly signing_secret: string;
}

interface Transaction {
  readonly transaction_uuid: string;
  readonly document: { readonly size: number; readonly sha256: string };
}

/** The built service with a document of 100 MiB, and an environment for each SDK. */
export class ServiceForSdks {
  private large: NodeJS.ProcessEnv = {};

  private constructor(
    private readonly service: Service,
    private readonly storage: FakeDavServer,
  ) {}

  static async start(root: string, dataDir: string): Promise<ServiceForSdks> {
    const settings = { ...settingsOfFreshCheckout(), NETWORK_ALLOW: '127.0.0.0/8,::1/128', LOG_LEVEL: 'warn' };
    const service = new Service({ root, dataDir, port: await freePort(3200), settings });
    process.on('exit', () => service.kill());
    const started = new ServiceForSdks(service, await FakeDavServer.start());
    await service.ready();
    await started.fetchLargeDocument();
    return started;
  }

  /** The variables of the tests of one SDK, which have an environment of their own. */
  async variables(name: string): Promise<NodeJS.ProcessEnv> {
    const { api_key, signing_secret } = await this.createEnvironment(name);
    return {
      DOCFETCH_URL: this.service.base,
      DOCFETCH_API_KEY: api_key,
      DOCFETCH_SIGNING_SECRET: signing_secret,
      DOCFETCH_RETURN_URL: RETURN_URL,
      ...this.large,
    };
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.storage.stop();
  }

  private async createEnvironment(name: string): Promise<CreatedEnvironment> {
    const environment = await this.service.command<CreatedEnvironment>([
      ...['environment', 'create', '--client', 'SDKs', '--name', name, '--kind', 'test'],
      ...['--return-origin', RETURN_ORIGIN],
    ]);
    const { environment_uuid: uuid } = environment;
    await this.service.command(['provisioning', 'set', '--environment', uuid, '--strategy', 'polling']);
    return environment;
  }

  /** All SDKs download the same one, with the key of its environment. */
  private async fetchLargeDocument(): Promise<void> {
    const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(LARGE_BYTES), Buffer.from('\n%%EOF\n')]);
    const { origin, base } = this.storage;
    this.storage.put('Large/large.pdf', content);
    const { api_key: key } = await this.createEnvironment('Large document');
    const api = new Api(this.service.base, { 'X-API-KEY': key });
    const { identity_uuid } = await api.call<{ identity_uuid: string }>('POST', '/v1/identities', 201, {
      client_identifier: 'large',
    });
    const { uuid } = await api.call<{ uuid: string }>('POST', '/v1/connections', 201, {
      integration_id: 'webdav',
      name: 'Storage',
      identity_uuid,
      fields: { url: origin + base, user: 'anna', password: 'right' },
    });
    const { token } = await api.call<{ token: string }>('POST', '/token', 201, {
      identity_uuid,
      return_url: RETURN_URL,
    });
    const fields = { folders: ['Large'], file_types: ['pdf'] };
    await new Api(this.service.base, { 'X-TOKEN': token }).call('PUT', `/v1/connections/${uuid}/step2`, 204, {
      fields,
    });
    const { transaction_uuid, document } = await this.firstTransaction(api);
    const sha256 = createHash('sha256').update(content).digest('hex');
    if (document.size !== content.length || document.sha256 !== sha256) throw new Error('The large document differs.');
    this.large = {
      DOCFETCH_LARGE_API_KEY: key,
      DOCFETCH_LARGE_UUID: transaction_uuid,
      DOCFETCH_LARGE_BYTES: String(content.length),
      DOCFETCH_LARGE_SHA256: sha256,
    };
  }

  private async firstTransaction(api: Api): Promise<Transaction> {
    const deadline = performance.now() + FETCH_MS;
    for (;;) {
      const [transaction] = await api.call<Transaction[]>('GET', '/v1/transactions', 200);
      if (transaction) return transaction;
      if (performance.now() > deadline) throw new Error(`The large document was not fetched; log: ${this.service.log}`);
      await pause(200);
    }
  }
}
