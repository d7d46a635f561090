import { createContext, useContext } from 'react';
import type { Problem } from '../api/problem';

/** Takes over when a problem means that the session is over; false when it does not. */
export type SessionEndHandler = (problem: Problem) => boolean;

export const SessionEndContext = createContext<SessionEndHandler>(() => false);

export const useSessionEnd = (): SessionEndHandler => useContext(SessionEndContext);
