/** Shown in both languages: the file with the texts of the chosen one could not be loaded. */
export function LoadFailed() {
  return (
    <main className="sign-in">
      <p lang="en">The console could not be loaded.</p>
      <p lang="de">Die Konsole konnte nicht geladen werden.</p>
      <p>
        <button type="button" className="action primary" onClick={() => location.reload()}>
          <span lang="en">Load again</span> / <span lang="de">Neu laden</span>
        </button>
      </p>
    </main>
  );
}
