const MIB = 1024 * 1024;

/** Larger XML is not read. Measured: 10 MB of invoice lines take about a second and 250 MB of heap. */
export const MAX_XML_BYTES = 10 * MIB;

/**
 * Larger PDFs are not opened. Measured: a valid 20 MB PDF takes 10 ms and twice its size in memory; one with a broken
 * cross-reference table, which has to be searched completely, takes 0.3 s and 90 MB more.
 */
export const MAX_PDF_BYTES = 25 * MIB;

/** The text of larger PDFs is not read: they consist of scanned pages and pictures, and most have no text. */
export const MAX_TEXT_PDF_BYTES = 8 * MIB;
