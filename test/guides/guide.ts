/** The steps of a guide, in order. */
export type Step = SaveStep | RunStep;

/** A block that the reader saves as a file: ```` ```js verify.mjs ````. */
export interface SaveStep {
  readonly kind: 'save';
  readonly line: number;
  readonly file: string;
  readonly text: string;
}

/** A block that the reader pastes into a shell, with the expected output below it. */
export interface RunStep {
  readonly kind: 'run';
  readonly line: number;
  readonly commands: string;
  /** The commands for readers of another language: ```` ```sh [Python] ````. Null if they are the same for all readers. */
  readonly variants: Programs | null;
  /** The same step in the other languages: in all of them, or in none. It has the same output. */
  readonly programs: Programs;
  readonly answer: Answer | null;
}

/** Languages of the blocks that may follow a block of commands. Those of one language and one guide form a program. */
export const LANGUAGES = ['ts', 'python', 'php'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Programs = Readonly<Partial<Record<Language, string>>>;
/** The label of commands that have variants, and the labels of the variants. Readers of other languages execute the first. */
const DEFAULT_VARIANT = 'Node';
const VARIANTS: Readonly<Record<string, Language>> = { Python: 'python', PHP: 'php' };

export interface Answer {
  readonly line: number;
  readonly language: 'json' | 'text';
  readonly text: string;
}

/** A block that is not executed, with the reason. */
export interface Exception {
  readonly line: number;
  readonly language: string;
  readonly reason: string;
}

export interface Guide {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly exceptions: readonly Exception[];
  /** The errors of the guide itself. */
  readonly problems: readonly string[];
}

interface Block {
  readonly line: number;
  readonly language: string;
  readonly file: string | null;
  /** From ```` ```sh [label] ````. */
  readonly label: string | null;
  readonly text: string;
  /** From the comment `<!-- Not checked: … -->` above it. */
  readonly exception: string | null;
  /** Whether only empty lines separate it from the block before it. */
  readonly follows: boolean;
}

const FENCE = /^```(\w*)(?: (?:\[(\w+)\]|(\S+)))?$/;
const NOT_CHECKED = /^<!-- Not checked: (.+) -->$/;

/** Reads a guide. A block that is neither run, saved, expected output nor marked as not checked is an error of the guide. */
export function readGuide(name: string, markdown: string): Guide {
  const steps: Step[] = [];
  const exceptions: Exception[] = [];
  const problems: string[] = [];
  for (const block of blocksOf(markdown)) {
    const { line, language, file, label, text, exception, follows } = block;
    const problem = (what: string) => problems.push(`line ${line}: ${what}`);
    const before = steps.at(-1);
    const variant = language === 'sh' && label !== null ? VARIANTS[label] : undefined;
    if (exception !== null) {
      exceptions.push({ line, language, reason: exception });
      continue;
    }
    if (language === 'sh' && /^\s*#/m.test(text)) {
      problem('a comment among the commands: zsh does not take it when it is pasted');
    }
    if (variant && follows && before?.kind === 'run' && before.variants && !before.answer) {
      if (before.variants[variant] !== undefined) problem(`another block [${label}] for the same step`);
      steps[steps.length - 1] = { ...before, variants: { ...before.variants, [variant]: text } };
    } else if (isLanguage(language) && !file && !label && follows && before?.kind === 'run' && !before.answer) {
      if (before.programs[language] !== undefined) problem(`another ${language} block for the same step`);
      steps[steps.length - 1] = { ...before, programs: { ...before.programs, [language]: text } };
    } else if (language === 'json' || language === 'text') {
      const last = steps.pop();
      if (last?.kind !== 'run' || last.answer) {
        problem(`an answer (${language}) without commands before it`);
        if (last) steps.push(last);
        continue;
      }
      if (language === 'json' && !isJson(text)) problem('the answer is no JSON');
      steps.push({ ...last, answer: { line, language, text } });
    } else if (language === 'sh' && (label === null || label === DEFAULT_VARIANT)) {
      const variants = label === null ? null : {};
      steps.push({ kind: 'run', line, commands: text, variants, programs: {}, answer: null });
    } else if (file) {
      steps.push({ kind: 'save', line, file, text });
    } else {
      problem(`a block (${language || 'no language'}) that is neither run nor saved: name its file, or say why not`);
    }
  }
  if (!steps.some((step) => step.kind === 'run')) problems.push('nothing in it is run');
  problems.push(...steps.flatMap(missingLanguages));
  return { name, steps, exceptions, problems };
}

const isLanguage = (language: string): language is Language => (LANGUAGES as readonly string[]).includes(language);

/** The commands of a step for the readers of a language. */
export function commandsOf({ commands, variants }: RunStep, language: Language | null): string {
  return (language !== null && variants?.[language]) || commands;
}

/** Whether a step differs from that of a reader of the shell. */
export function isTranslated(step: Step, language: Language): boolean {
  return programOf(step, language) !== null || (step.kind === 'run' && step.variants?.[language] !== undefined);
}

/** The text of a step in a language; null if the step has only commands. */
export function programOf(step: Step, language: Language | null): string | null {
  return (step.kind === 'run' && language !== null && step.programs[language]) || null;
}

function missingLanguages(step: Step): string[] {
  if (step.kind !== 'run') return [];
  const { programs, variants, line } = step;
  const missing = [
    ...(Object.keys(programs).length > 0 ? LANGUAGES.filter((language) => programs[language] === undefined) : []),
    ...(variants ? Object.values(VARIANTS).filter((language) => variants[language] === undefined) : []),
  ];
  return missing.map((language) => `line ${line}: this step is missing in ${language}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function* blocksOf(markdown: string): Generator<Block> {
  const lines = markdown.split('\n');
  let end = -1;
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at]!.startsWith('```')) continue;
    const [, language = '', label, file] = FENCE.exec(lines[at]!) ?? [];
    const start = at++;
    while (at < lines.length && lines[at] !== '```') at++;
    const text = lines.slice(start + 1, at).join('\n');
    const exception = NOT_CHECKED.exec(textAbove(lines, start))?.[1] ?? null;
    const follows = end >= 0 && lines.slice(end + 1, start).every((line) => line.trim() === '');
    end = at;
    yield { line: start + 1, language, file: file ?? null, label: label ?? null, text, exception, follows };
  }
}

/** The nearest non-empty line above. */
function textAbove(lines: readonly string[], at: number): string {
  return lines.slice(0, at).findLast((line) => line.trim() !== '') ?? '';
}
