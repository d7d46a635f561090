import { Injectable } from '@nestjs/common';
import {
  CreateEnvironment,
  type CreatedEnvironment,
  type NewEnvironment,
} from '../../identities/environments/create-environment';
import { ManageKeys } from './manage-keys';

/** `environment create` (decisions 7): an environment with its first API key, both or neither. */
@Injectable()
export class CreateClient {
  constructor(
    private readonly createEnvironment: CreateEnvironment,
    private readonly keys: ManageKeys,
  ) {}

  /** Key and signing secret are returned only here. */
  async create(actor: string, given: NewEnvironment): Promise<CreatedEnvironment & { readonly apiKey: string }> {
    let apiKey = '';
    const created = await this.createEnvironment.create(actor, given, async (em, { uuid }) => {
      apiKey = (await this.keys.issue(actor, uuid, null, {}, em)).key;
    });
    return { ...created, apiKey };
  }
}
