import { createContext, useContext } from 'react';
import type { Problem } from '../api/problem';

/** Takes over when a problem means that the session is over; false when it does not. */
export type Ended = (problem: Problem) => boolean;

export const EndedContext = createContext<Ended>(() => false);

export const useEnded = (): Ended => useContext(EndedContext);
