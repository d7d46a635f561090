import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import { declareIntegration } from '../../../src/integrations/declarative/declare-integration';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';

const PROVIDERS = join(__dirname, '../../../src/integrations/providers');

interface FakeServer {
  readonly url: string;
  /** Requests that contradict the provider's description. */
  readonly violations: readonly unknown[];
  stop(): Promise<void>;
}

interface SessionInput {
  /** The fields of step 1. */
  readonly step1: Readonly<Record<string, string>>;
  readonly kinds?: readonly string[] | undefined;
  /** Dedupe keys of documents that are recorded already. */
  readonly known?: readonly string[] | undefined;
  readonly now: () => Date;
}

/** A provider's file, and sessions at a fake server that a subclass starts for each test. */
export abstract class DeclaredSource<Server extends FakeServer> {
  server!: Server;
  readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  protected readonly declared;
  private readonly sessions: OpenSession[] = [];

  constructor(id: string) {
    this.declared = declareIntegration(`${id}.yaml`, readFileSync(join(PROVIDERS, `${id}.yaml`), 'utf8'));
  }

  get manifestErrors() {
    return this.declared.manifestErrors;
  }

  check(opened: OpenSession) {
    return this.declared.integration.check(opened);
  }

  download(opened: OpenSession, ref: DocumentRef) {
    return this.declared.integration.download(opened, ref);
  }

  async stop(): Promise<void> {
    for (const each of this.sessions.splice(0)) await each.close();
    await this.server.stop();
    expect(this.server.violations).toEqual([]);
  }

  protected open({ step1, kinds, known, now }: SessionInput): OpenSession {
    const { values, invalidFields } = validateFields(this.declared.integration.step1, step1);
    expect(invalidFields).toEqual([]);
    const opened = openSession({
      fields: values,
      step2: kinds ? { kinds } : {},
      network: this.network,
      signal: new AbortController().signal,
      now,
      apiBaseUrl: this.server.url,
      findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => known?.includes(key)))),
    });
    this.sessions.push(opened);
    return opened;
  }
}
