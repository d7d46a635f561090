/** What every connection with `sandbox_oauth` asks for. */
export const READ = 'documents.read';
/** What it asks for besides once a shared folder is chosen. */
export const READ_SHARED = 'documents.shared.read';

export const SCOPES: readonly string[] = [READ, READ_SHARED];
