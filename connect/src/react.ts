import { type ButtonHTMLAttributes, createElement, type ReactElement, useCallback, useEffect, useRef } from 'react';
import { openDocfetch } from './open.js';
import type { DocfetchHandle, DocfetchOptions } from './options.js';

/** Returns the function that opens the hosted UI; call it in a click handler. Unmounting closes what is open. */
export function useDocfetch(options: DocfetchOptions): () => void {
  const latest = useRef(options);
  const handle = useRef<DocfetchHandle | null>(null);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => () => handle.current?.close(), []);
  return useCallback(() => {
    handle.current = openDocfetch({
      ...latest.current,
      onSuccess: (result) => latest.current.onSuccess?.(result),
      onExit: (result) => latest.current.onExit?.(result),
      onEvent: (event) => latest.current.onEvent?.(event),
    });
  }, []);
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'>;

/** A button that opens the hosted UI. Other properties are those of a button. */
export function DocfetchConnect(props: DocfetchOptions & ButtonProps): ReactElement {
  const { token, mode, baseUrl, onSuccess, onExit, onEvent, ...button } = props;
  const onClick = useDocfetch({ token, mode, baseUrl, onSuccess, onExit, onEvent });
  return createElement('button', { type: 'button', ...button, onClick });
}
