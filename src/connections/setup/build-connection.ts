import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Identity } from '../../identities/identity.entity';
import type { Integration } from '../../integrations/core/integration';
import type { FieldInput } from '../../integrations/core/validate-fields';
import { Settings } from '../../platform/config/settings';
import { KeyManager, type NewDataKey } from '../../platform/crypto/key-manager';
import { Connection } from '../state/connection.entity';
import { inboxAddress } from './inbox-address';
import { encryptStep1Secrets } from './step1-secrets';

/** What a client or user gives for a new connection. */
export interface NewConnection {
  readonly identity: Identity;
  readonly integration: Integration;
  readonly name: string;
  /** Validated. */
  readonly fields: FieldInput;
}

/** Creates the rows of new connections. */
@Injectable()
export class ConnectionBuilder {
  constructor(
    private readonly keyManager: KeyManager,
    private readonly settings: Settings,
  ) {}

  /** The data key of a connection to be built, before the transaction. */
  generateKey(): Promise<NewDataKey> {
    return this.keyManager.generate(uuid());
  }

  /** A connection with its own data key, in the caller's transaction. Its setup is not complete. */
  build(
    em: EntityManager,
    { identity, integration, name, fields }: NewConnection,
    dataKey: NewDataKey,
    now: Date,
  ): Connection {
    this.keyManager.store(em, identity.environmentUuid, dataKey);
    const { settings, secrets } = splitSecrets(integration, fields);
    const address = this.addressOf(integration, name);
    const connection = em.create(Connection, {
      uuid: dataKey.ownerUuid,
      environmentUuid: identity.environmentUuid,
      identityUuid: identity.uuid,
      integrationId: integration.id,
      name,
      settings,
      secrets: encryptStep1Secrets(this.keyManager, dataKey.key, secrets),
      step2: {},
      step2Fields: [],
      displayValues: {},
      startdate: (settings.startdate as string | undefined) ?? null,
      inboxAddress: address,
      accountDisplay: address,
      receivedMails: 0,
      consecutiveFailures: 0,
      failedDocuments: 0,
      createdAt: now,
      updatedAt: now,
    });
    em.persist(connection);
    return connection;
  }

  private addressOf({ receivesMail }: Integration, name: string): string | null {
    const { inboxDomain } = this.settings;
    return receivesMail && inboxDomain !== null ? inboxAddress(name, inboxDomain) : null;
  }
}

/** Splits the input into the two columns: settings, which can be shown, and secrets, which are encrypted. */
export function splitSecrets(
  integration: Integration,
  fields: FieldInput,
): { settings: Record<string, unknown>; secrets: Record<string, unknown> } {
  const isSecret = (id: string) => integration.step1.some((field) => field.id === id && field.secret);
  const entries = Object.entries(fields);
  return {
    settings: Object.fromEntries(entries.filter(([id]) => !isSecret(id))),
    secrets: Object.fromEntries(entries.filter(([id]) => isSecret(id))),
  };
}
