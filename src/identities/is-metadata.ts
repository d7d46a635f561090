import { ValidateBy } from 'class-validator';
import { isPlainText } from '../platform/errors/plain-text';

export const MAX_METADATA_KEYS = 10;
const MAX_KEY_CHARACTERS = 40;
const MAX_VALUE_CHARACTERS = 500;

const isValidKey = (name: string) => name.length <= MAX_KEY_CHARACTERS && isPlainText(name);
const isValidValue = (value: unknown) =>
  typeof value === 'string' && value.length <= MAX_VALUE_CHARACTERS && isPlainText(value);

const hasOnlyValid = (given: unknown, isAllowed: (value: unknown) => boolean): given is object =>
  typeof given === 'object' &&
  given !== null &&
  !Array.isArray(given) &&
  Object.entries(given).every(([name, value]) => isValidKey(name) && isAllowed(value));

/** Metadata with at most `MAX_METADATA_KEYS` entries (decisions 4). */
export const IsMetadata = () =>
  ValidateBy({
    name: 'isMetadata',
    validator: {
      validate: (given: unknown) => hasOnlyValid(given, isValidValue) && Object.keys(given).length <= MAX_METADATA_KEYS,
    },
  });

/** A merge patch of metadata: null removes an entry. The number of remaining entries is checked when the patch is applied. */
export const IsMetadataPatch = () =>
  ValidateBy({
    name: 'isMetadata',
    validator: { validate: (given: unknown) => hasOnlyValid(given, (value) => value === null || isValidValue(value)) },
  });
