const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2b5f8a"/><path d="M9 18v4a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-4M16 7v11m-5-5 5 5 5-5" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** The icon of the hosted UI as a data URL: the page's policy allows only the service's own images and `data:`. */
export const ICON_URL = `data:image/svg+xml;base64,${Buffer.from(ICON).toString('base64')}`;

/**
 * Styles of our header and code samples, and corrections of Swagger UI: colors with too little contrast (WCAG 2.2, 1.4.3),
 * lines of text that are too long to read, and a column for links of responses, of which there are none.
 */
export const PAGE_STYLE = `
.swagger-ui .docfetch-header { box-sizing: border-box; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 2rem; max-width: 1460px; margin: 0 auto; padding: 1rem 20px; font: 16px/1.5 system-ui, sans-serif; }
.swagger-ui .docfetch-logo { padding-left: 2.4rem; background: url('${ICON_URL}') left center / 1.8rem no-repeat; font-size: 1.4rem; font-weight: 600; line-height: 1.8rem; }
.swagger-ui .docfetch-header nav { display: flex; flex-wrap: wrap; gap: 1.5rem; }
.swagger-ui .docfetch-header a { color: #1d4e78; text-decoration: none; }
.swagger-ui .docfetch-header a:hover { text-decoration: underline; }
.swagger-ui .docfetch-sample { margin: 10px 20px; }
.swagger-ui .docfetch-sample summary { cursor: pointer; font: 600 14px system-ui, sans-serif; color: #3b4151; }
.swagger-ui .docfetch-sample pre { margin: .5rem 0; padding: .8rem 1rem; overflow-x: auto; border-radius: 4px; background: #22272e; color: #f0f3f6; font: 13px/1.5 ui-monospace, monospace; }
.swagger-ui .scheme-container .schemes > .schemes-server-container { display: none; }
.swagger-ui .scheme-container .schemes { justify-content: flex-end; }
.swagger-ui .renderedMarkdown :is(p, li) { max-width: 80ch; margin-left: 0; line-height: 1.5; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .btn.execute { background: #1f5f9e; border-color: #1f5f9e; }
.swagger-ui .info .title small { background: #4a5160; }
.swagger-ui .info .title small.version-stamp { background: #3a6305; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1f5f9e; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1a6b47; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4b00; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6a58; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e; }
.swagger-ui .json-schema-2020-12-head button, .swagger-ui .json-schema-2020-12__attribute, .swagger-ui .json-schema-2020-12-keyword__name--secondary, .swagger-ui .header-example, .swagger-ui .parameter__in, .swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after, .swagger-ui .opblock-description-wrapper p, .swagger-ui .response-control-media-type__accept-message { color: #3b4151; }
.swagger-ui .responses-table .headers-wrapper .header-example, .swagger-ui .headers .header-col .header-example { color: #3b4151 !important; }
.swagger-ui .btn.authorize { color: #0d6b45; border-color: #0d6b45; }
.swagger-ui .btn.authorize svg { fill: #0d6b45; }
.swagger-ui .info a, .swagger-ui .info .markdown a, .swagger-ui .info .renderedMarkdown p a { color: #1d4e78; text-decoration: underline; }
.swagger-ui .opblock-summary-path, .swagger-ui .info a, .swagger-ui .renderedMarkdown a { line-height: 24px; }
.swagger-ui .info__contact a, .swagger-ui .info__tos a, .swagger-ui .info__license a, .swagger-ui .info__extdocs { display: inline-block; min-height: 24px; line-height: 24px; }
`;
