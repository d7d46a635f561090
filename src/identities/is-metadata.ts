import { ValidateBy } from 'class-validator';
import { isPlainText } from '../platform/http/plain-text';

const MAX_KEYS = 10;
const MAX_KEY_CHARACTERS = 40;
const MAX_VALUE_CHARACTERS = 500;

/** contract 4: at most ten texts. */
export const IsMetadata = () =>
  ValidateBy({
    name: 'isMetadata',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length <= MAX_KEYS &&
        Object.entries(value).every(
          ([key, text]) =>
            key.length <= MAX_KEY_CHARACTERS &&
            isPlainText(key) &&
            typeof text === 'string' &&
            text.length <= MAX_VALUE_CHARACTERS &&
            isPlainText(text),
        ),
    },
  });
