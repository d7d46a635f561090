import { Injectable } from '@nestjs/common';
import type { I18nService } from 'nestjs-i18n';
import { userInfo } from 'node:os';
import { validate as isUuid } from 'uuid';
import type { ApiError } from '../platform/http/errors';

/** Who the support team's changes are logged for. */
export function cliActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return 'cli'; // a user id without a name, as in some containers
  }
}

/** Where commands write: `--json` for programs, lines for people. */
@Injectable()
export class Print {
  /** A line for people while a command is at work. */
  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  result(asJson: boolean | undefined, value: object, lines: readonly string[]): void {
    process.stdout.write(asJson ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
  }
}

/** What a refusal of the API says, in one line: which input is wrong, or why it cannot be done, and when it can. */
export function sentence(i18n: I18nService, { code, details }: ApiError): string {
  const say = (key: string, args: object = {}) => i18n.translate<string, string>(key, { lang: 'en', args });
  const faults = (details.errors ?? []).map((fault) =>
    say(`validation.${fault.code}`, { label: fault.field, ...fault.params }),
  );
  const { retryAfterSeconds: wait } = details;
  return [
    ...(faults.length > 0 ? faults : [say(`errors.detail.${code}`, details.params)]),
    ...(wait === undefined ? [] : [`Try again in ${Math.max(1, Math.ceil(wait))} seconds.`]),
  ].join(' ');
}

/** A fault in what the operator typed: shown as one line, exit status 1. */
export class UsageError extends Error {}

/** The option's value, when it is one of the choices. @throws UsageError */
export function choice<const T extends readonly string[]>(option: string, value: string, choices: T): T[number] {
  if (!choices.includes(value))
    throw new UsageError(`--${option} must be one of ${choices.join(', ')}, not "${value}".`);
  return value;
}

/** The value, when it is a UUID. @throws UsageError */
export function uuid(what: string, value: string): string {
  if (!isUuid(value)) throw new UsageError(`${what} must be a UUID, not "${value}".`);
  return value.toLowerCase();
}

/** All of standard input, without the line break at its end. */
export async function readSecret(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

/** What a command that only holds others does: explains itself. @throws UsageError for words it does not know */
export function explain(command: { name(): string; outputHelp(): void }, given: readonly string[]): Promise<void> {
  if (given.length > 0) throw new UsageError(`There is no command "${command.name()} ${given[0]}".`);
  command.outputHelp();
  return Promise.resolve();
}
