import type { Input } from '../context';

/** Calls `onKey` for each key on a terminal, until the returned function is called. Without a terminal, does nothing. */
export function watchKeys(stdin: Input, onKey: (key: string) => void): () => void {
  if (!stdin.isTTY || !stdin.setRawMode) return () => undefined;
  const onData = (data: Buffer | string) => [...data.toString()].forEach(onKey);
  stdin.setRawMode(true);
  stdin.on('data', onData).resume();
  return () => {
    stdin.off('data', onData).pause();
    stdin.setRawMode?.(false);
  };
}
