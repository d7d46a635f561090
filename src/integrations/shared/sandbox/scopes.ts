/** The scope of every connection with `sandbox_oauth`. */
export const READ = 'documents.read';
/** The additional scope when a shared folder is selected. */
export const READ_SHARED = 'documents.shared.read';

export const SCOPES: readonly string[] = [READ, READ_SHARED];
