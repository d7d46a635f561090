import { ValidateBy } from 'class-validator';

/** Whether PostgreSQL can keep a text: without null characters and without half a surrogate pair. */
export const isPlainText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Refuses text that PostgreSQL cannot keep; of what is no text, another rule tells. */
export const IsPlainText = () =>
  ValidateBy({
    name: 'isPlainText',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || isPlainText(value),
    },
  });
