/** The properties of a file or a folder. */
export interface Properties {
  isFolder?: boolean;
  size?: number;
  modified?: string;
  etag?: string;
  fileId?: string;
  folders?: number;
  principal?: string;
}

/** A `response` of RFC 4918 section 14.24. Missing properties are reported as missing, as servers do. */
export function response(href: string, of: Properties): string {
  const found = [
    of.isFolder !== undefined && `<x:resourcetype>${of.isFolder ? '<x:collection/>' : ''}</x:resourcetype>`,
    of.size !== undefined && `<x:getcontentlength>${of.size}</x:getcontentlength>`,
    of.modified !== undefined && `<x:getlastmodified>${of.modified}</x:getlastmodified>`,
    of.etag !== undefined && `<x:getetag>${escapeXml(of.etag)}</x:getetag>`,
    of.fileId !== undefined && `<oc:fileid>${of.fileId}</oc:fileid>`,
    of.folders !== undefined && `<nc:contained-folder-count>${of.folders}</nc:contained-folder-count>`,
    of.principal !== undefined &&
      `<x:current-user-principal><x:href>${escapeXml(of.principal)}</x:href></x:current-user-principal>`,
  ];
  const missing = of.fileId === undefined ? '<oc:fileid/>' : '<x:quota-used-bytes/>';
  return `<x:response><x:href>${escapeXml(href)}</x:href>
<x:propstat><x:prop>${found.filter(Boolean).join('')}</x:prop><x:status>HTTP/1.1 200 OK</x:status></x:propstat>
<x:propstat><x:prop>${missing}</x:prop><x:status>HTTP/1.1 404 Not Found</x:status></x:propstat></x:response>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
