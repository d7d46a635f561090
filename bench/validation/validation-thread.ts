import process from 'node:process';
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { parseXml } from '../../src/documents/e-invoice/xml/xml';
import { validateInvoice } from '../../src/documents/e-invoice/validation/validate-invoice';

/** An invoice, and how often it is parsed and validated. */
export interface Request {
  readonly bytes: Uint8Array;
  readonly specification: string;
  readonly rounds: number;
}

export interface Times {
  readonly parse: readonly number[];
  readonly validate: readonly number[];
  /** The most memory of JavaScript objects after a validation, in MiB. */
  readonly heap: number;
  readonly rules: string;
}

/** Milliseconds of the processor that this thread has used: other programs do not change them. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function measure({ bytes, specification, rounds }: Request): Times {
  const [parse, validate]: [number[], number[]] = [[], []];
  let heap = 0;
  let rules = '';
  for (let round = 0; round < rounds; round++) {
    const started = processorTime();
    parseXml(bytes);
    const parsed = processorTime();
    const result = validateInvoice(bytes, specification);
    validate.push(processorTime() - parsed);
    parse.push(parsed - started);
    heap = Math.max(heap, getHeapStatistics().used_heap_size / 1024 ** 2);
    rules = result ? `${result.ruleset.name}, ${result.errors} errors` : 'no verdict';
  }
  return { parse, validate, heap, rules };
}

parentPort?.on('message', (request: Request) => parentPort?.postMessage(measure(request)));
