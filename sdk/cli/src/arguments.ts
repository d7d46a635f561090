import { CommandError } from './failure';
import type { Messages } from './messages/en';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Parsers of option values. @throws CommandError that names the option */
export function parsers(messages: Messages) {
  return {
    uuid: (name: string) => (value: string) => {
      if (!UUID.test(value)) throw new CommandError(messages.notAUuid(name, value), 'USAGE');
      return value.toLowerCase();
    },
    /** Letter case does not matter. */
    oneOf:
      <const T extends string>(name: string, choices: readonly T[]) =>
      (value: string): T => {
        const found = choices.find((each) => each.toLowerCase() === value.toLowerCase());
        if (found === undefined)
          throw new CommandError(messages.notOneOf(name, value, choices.join(', ').toLowerCase()), 'USAGE');
        return found;
      },
    listOf:
      <const T extends string>(name: string, choices: readonly T[]) =>
      (value: string): T[] =>
        value.split(',').map((each) => {
          const found = choices.find((choice) => choice === each.trim());
          if (found === undefined) throw new CommandError(messages.notOneOf(name, each, choices.join(', ')), 'USAGE');
          return found;
        }),
    number: (name: string, min: number, max: number) => (value: string) => {
      const number = Number(value);
      if (value.trim() === '' || !(number >= min && number <= max))
        throw new CommandError(messages.notBetween(name, value, min, max), 'USAGE');
      return number;
    },
    integer: (name: string, min: number, max: number) => (value: string) => {
      if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max)
        throw new CommandError(messages.notBetween(name, value, min, max), 'USAGE');
      return Number(value);
    },
    datetime: (name: string) => (value: string) => {
      if (!DATE.test(value) || Number.isNaN(Date.parse(value)))
        throw new CommandError(messages.notADate(name, value), 'USAGE');
      return value;
    },
  };
}
