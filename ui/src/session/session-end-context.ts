import { createContext, useContext } from 'react';
import type { Problem } from '../api/problem';

/** Ends the session if the problem means that it is over; returns whether it did. */
export type SessionEndHandler = (problem: Problem) => boolean;

export const SessionEndContext = createContext<SessionEndHandler>(() => false);

export const useSessionEnd = (): SessionEndHandler => useContext(SessionEndContext);
