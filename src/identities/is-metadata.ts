import { ValidateBy } from 'class-validator';
import { isPlainText } from '../platform/errors/plain-text';

export const MAX_KEYS = 10;
const MAX_KEY_CHARACTERS = 40;
const MAX_VALUE_CHARACTERS = 500;

const isName = (name: string) => name.length <= MAX_KEY_CHARACTERS && isPlainText(name);
const isValue = (value: unknown) =>
  typeof value === 'string' && value.length <= MAX_VALUE_CHARACTERS && isPlainText(value);

const holdsOnly = (given: unknown, isAllowed: (value: unknown) => boolean): given is object =>
  typeof given === 'object' &&
  given !== null &&
  !Array.isArray(given) &&
  Object.entries(given).every(([name, value]) => isName(name) && isAllowed(value));

/** Metadata with at most `MAX_KEYS` entries (decisions 4). */
export const IsMetadata = () =>
  ValidateBy({
    name: 'isMetadata',
    validator: { validate: (given: unknown) => holdsOnly(given, isValue) && Object.keys(given).length <= MAX_KEYS },
  });

/** A merge patch of metadata: null removes an entry. The number of remaining entries is checked when the patch is applied. */
export const IsMetadataPatch = () =>
  ValidateBy({
    name: 'isMetadata',
    validator: { validate: (given: unknown) => holdsOnly(given, (value) => value === null || isValue(value)) },
  });
