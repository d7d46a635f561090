import { Module } from '@nestjs/common';
import { ReadKeyStatus } from './read-key-status';
import { ReplaceDataKeys } from './replace-data-keys';

const USE_CASES = [ReplaceDataKeys, ReadKeyStatus];

/** Starts the replacement of data keys, which `EncryptionModule` carries out, and shows how far it is. */
@Module({ providers: USE_CASES, exports: USE_CASES })
export class DataKeysModule {}
