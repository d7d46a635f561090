import { ValidateBy } from 'class-validator';
import { isPlainText } from '../../errors/plain-text';

/** Rejects text that PostgreSQL cannot store; the type is checked by another rule. */
export const IsPlainText = () =>
  ValidateBy({
    name: 'isPlainText',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || isPlainText(value),
    },
  });
