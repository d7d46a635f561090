import { Injectable } from '@nestjs/common';
import { ActivateSuccessor } from './activate-successor';
import { DestroyFormerKey } from './destroy-former-key';
import { ReencryptRows } from './reencrypt-rows';

/** The steps of a replacement. */
@Injectable()
export class ReplacementSteps {
  constructor(
    readonly activate: ActivateSuccessor,
    readonly rows: ReencryptRows,
    readonly destroy: DestroyFormerKey,
  ) {}
}
