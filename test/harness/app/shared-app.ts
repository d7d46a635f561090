import type { TestApp } from './start-app';

let app: Promise<TestApp> | undefined;

/** The application that the spec files of a Jest file share (`useSharedContext`). The first one starts it. */
export function sharedApp(start: () => Promise<TestApp>): Promise<TestApp> {
  return (app ??= start());
}

/** Called at the end of every Jest file. */
export async function stopSharedApp(): Promise<void> {
  const started = app;
  app = undefined;
  await (await started)?.stop();
}
