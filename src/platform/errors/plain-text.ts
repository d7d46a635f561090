import { ValidateBy } from 'class-validator';

/** Whether PostgreSQL can store a text: without null characters and without lone surrogates. */
export const isPlainText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Rejects text that PostgreSQL cannot store; the type is checked by another rule. */
export const IsPlainText = () =>
  ValidateBy({
    name: 'isPlainText',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || isPlainText(value),
    },
  });
