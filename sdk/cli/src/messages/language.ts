import { de } from './de';
import { en, type Messages } from './en';

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export const MESSAGES: Readonly<Record<Language, Messages>> = { en, de };

/**
 * The language of messages and help: `--lang`, `DOCFETCH_LANG`, that of the shell, or that of the system. It is needed before
 * the arguments are parsed, because it is the language of errors in them.
 */
export function languageOf(args: readonly string[], env: NodeJS.ProcessEnv, system: string): Language {
  const at = args.findIndex((each) => each === '--lang' || each.startsWith('--lang='));
  const option = args[at]?.startsWith('--lang=') ? args[at].slice('--lang='.length) : at < 0 ? undefined : args[at + 1];
  const candidates = [option, env.DOCFETCH_LANG, env.LC_ALL, env.LC_MESSAGES, env.LANG, system];
  const chosen = candidates.find((each) => each) ?? 'en';
  return /^de([-_.@]|$)/i.test(chosen) ? 'de' : 'en';
}
