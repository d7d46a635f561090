/** Icons that only the console has; they are decorative, like those of the hosted UI. */
function Icon({ d }: { d: string }) {
  return (
    <svg className="icon" width="1rem" height="1rem" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={d} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

export const Copy = () => (
  <Icon d="M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1Zm-4 6H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1" />
);
export const MenuIcon = () => <Icon d="M4 6h16M4 12h16M4 18h16" />;
export const Pause = () => <Icon d="M8 5v14M16 5v14" />;
export const Play = () => <Icon d="M7 4.5v15l12-7.5Z" />;
