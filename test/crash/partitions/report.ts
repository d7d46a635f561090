import type { Aftermath } from './campaign';

/** Prints what was observed during a fault. */
export type Printed = (text: string, aftermath: Aftermath) => void;

export const print: Printed = (text, { counted, permitted, settledSeconds }) => {
  const repeats = `${counted} pushes arrived again, ${permitted} were permitted`;
  process.stdout.write(`${text}; all was done ${settledSeconds} s later; ${repeats}\n`);
};
