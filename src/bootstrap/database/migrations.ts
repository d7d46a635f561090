import type { MigrationObject } from '@mikro-orm/core';
import { CreatePlatform } from '../../../migrations/20261125220000_create-platform';
import { CreateRateLimits } from '../../../migrations/20261125220100_create-rate-limits';
import { CreateContents } from '../../../migrations/20261125220200_create-contents';
import { CreateEnvironments } from '../../../migrations/20261125220300_create-environments';
import { CreateIdempotencyKeys } from '../../../migrations/20261125220400_create-idempotency-keys';
import { CreateConnections } from '../../../migrations/20261125220500_create-connections';
import { CreateOAuth } from '../../../migrations/20261125220700_create-oauth';
import { CreateTransactions } from '../../../migrations/20261125220800_create-transactions';
import { CreateFetches } from '../../../migrations/20261125220900_create-fetches';
import { CreateDeliveries } from '../../../migrations/20261125221000_create-deliveries';
import { CreateWebhooks } from '../../../migrations/20261125221100_create-webhooks';
import { CreateSandbox } from '../../../migrations/20261125221200_create-sandbox';
import { AddTextExtraction } from '../../../migrations/20261126150000_add-text-extraction';
import { CreateInbox } from '../../../migrations/20261126151000_create-inbox';
import { AddValidation } from '../../../migrations/20261126155000_add-validation';
import { AddFilterReasons } from '../../../migrations/20261126160000_add-filter-reasons';
import { NumberRevisions } from '../../../migrations/20261126170000_number-revisions';
import { CreateRenditions } from '../../../migrations/20261126190000_create-renditions';
import { FindCopies } from '../../../migrations/20261126200000_find-copies';
import { HoldDuplicates } from '../../../migrations/20261126201000_hold-duplicates';
import { ExpectDocuments } from '../../../migrations/20261126210000_expect-documents';

/** Every migration, oldest first. Listed explicitly, so that a stray file in the build is never executed. */
export const MIGRATIONS: MigrationObject[] = [
  { name: '20261125220000_create-platform', class: CreatePlatform },
  { name: '20261125220100_create-rate-limits', class: CreateRateLimits },
  { name: '20261125220200_create-contents', class: CreateContents },
  { name: '20261125220300_create-environments', class: CreateEnvironments },
  { name: '20261125220400_create-idempotency-keys', class: CreateIdempotencyKeys },
  { name: '20261125220500_create-connections', class: CreateConnections },
  { name: '20261125220700_create-oauth', class: CreateOAuth },
  { name: '20261125220800_create-transactions', class: CreateTransactions },
  { name: '20261125220900_create-fetches', class: CreateFetches },
  { name: '20261125221000_create-deliveries', class: CreateDeliveries },
  { name: '20261125221100_create-webhooks', class: CreateWebhooks },
  { name: '20261125221200_create-sandbox', class: CreateSandbox },
  { name: '20261126150000_add-text-extraction', class: AddTextExtraction },
  { name: '20261126151000_create-inbox', class: CreateInbox },
  { name: '20261126155000_add-validation', class: AddValidation },
  { name: '20261126160000_add-filter-reasons', class: AddFilterReasons },
  { name: '20261126170000_number-revisions', class: NumberRevisions },
  { name: '20261126190000_create-renditions', class: CreateRenditions },
  { name: '20261126200000_find-copies', class: FindCopies },
  { name: '20261126201000_hold-duplicates', class: HoldDuplicates },
  { name: '20261126210000_expect-documents', class: ExpectDocuments },
];
