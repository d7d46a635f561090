const PREFIX = 'console:';

/** The actor of what a session of the console does: `console:<session uuid>`. */
export const consoleActor = (sessionUuid: string): string => PREFIX + sessionUuid;

/** The session of such an actor; undefined for any other actor. */
export const sessionOfActor = (actor: string): string | undefined =>
  actor.startsWith(PREFIX) ? actor.slice(PREFIX.length) : undefined;
