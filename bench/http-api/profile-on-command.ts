import { type Profiler, Session } from 'node:inspector/promises';

// Loaded into the service before anything else (`--require`): records a CPU profile on command.

/** Microseconds between two samples. */
const INTERVAL = 200;
const session = new Session();

async function answer({ profile }: { profile?: boolean }): Promise<void> {
  if (profile === undefined) return;
  if (profile) {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
    await session.post('Profiler.start');
    process.send!('profiling');
    return;
  }
  const recorded: { profile: Profiler.Profile } = await session.post('Profiler.stop');
  session.disconnect();
  process.send!(recorded.profile);
}

process.on('message', (message: { profile?: boolean }) => void answer(message));
