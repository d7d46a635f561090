// cspell:disable
/** Elements and attributes of UBL that EN 16931 does not use, with the numbers of their rules; see `unused.ts`. */
export const UBL_UNUSED_HEADER = `
.: 001 UBLExtensions, 003 ProfileExecutionID, 004 CopyIndicator, 005 UUID, 006 IssueTime, 007 PricingCurrencyCode,
  008 PaymentCurrencyCode, 009 PaymentAlternativeCurrencyCode, 010 AccountingCostCode, 011 LineCountNumeric,
  077 StatementDocumentReference, 137 Signature, 294 BuyerCustomerParty, 295 SellerSupplierParty, 410 DeliveryTerms,
  470 PrepaidPayment, 490 TaxExchangeRate, 491 PricingExchangeRate, 492 PaymentExchangeRate,
  493 PaymentAlternativeExchangeRate, 513 WithholdingTaxTotal
InvoicePeriod: 012 StartTime, 013 EndTime, 014 DurationMeasure, 015 Description
OrderReference: 016 CopyIndicator, 017 UUID, 018 IssueDate, 019 IssueTime, 020 CustomerReference, 021 OrderTypeCode,
  022 DocumentReference
BillingReference/InvoiceDocumentReference: 023 CopyIndicator, 024 UUID, 025 IssueTime, 026 DocumentTypeCode,
  027 DocumentType, 028 XPath, 029 LanguageID, 030 LocaleCode, 031 VersionID, 032 DocumentStatusCode,
  033 DocumentDescription, 034 Attachment, 035 ValidityPeriod, 036 IssuerParty, 037 ResultOfVerification
BillingReference: 038 SelfBilledInvoiceDocumentReference, 039 CreditNoteDocumentReference,
  040 SelfBilledCreditNoteDocumentReference, 041 DebitNoteDocumentReference, 042 ReminderDocumentReference,
  043 AdditionalDocumentReference, 044 BillingReferenceLine
DespatchDocumentReference: 045 CopyIndicator, 046 UUID, 047 IssueDate, 048 IssueTime, 049 DocumentTypeCode,
  050 DocumentType, 051 XPath, 052 LanguageID, 053 LocaleCode, 054 VersionID, 055 DocumentStatusCode,
  056 DocumentDescription, 057 Attachment, 058 ValidityPeriod, 059 IssuerParty, 060 ResultOfVerification
ReceiptDocumentReference: 061 CopyIndicator, 062 UUID, 063 IssueDate, 064 IssueTime, 065 DocumentTypeCode,
  066 DocumentType, 067 XPath, 068 LanguageID, 069 LocaleCode, 070 VersionID, 071 DocumentStatusCode,
  072 DocumentDescription, 073 Attachment, 074 ValidityPeriod, 075 IssuerParty, 076 ResultOfVerification
OriginatorDocumentReference: 078 CopyIndicator, 079 UUID, 080 IssueDate, 081 IssueTime, 082 DocumentTypeCode,
  083 DocumentType, 084 XPath, 085 LanguageID, 086 LocaleCode, 087 VersionID, 088 DocumentStatusCode,
  089 DocumentDescription, 090 Attachment, 091 ValidityPeriod, 092 IssuerParty, 093 ResultOfVerification
ContractDocumentReference: 094 CopyIndicator, 095 UUID, 096 IssueDate, 097 IssueTime, 098 DocumentTypeCode,
  099 DocumentType, 100 XPath, 101 LanguageID, 102 LocaleCode, 103 VersionID, 104 DocumentStatusCode,
  105 DocumentDescription, 106 Attachment, 107 ValidityPeriod, 108 IssuerParty, 109 ResultOfVerification
AdditionalDocumentReference: 110 CopyIndicator, 111 UUID, 112 IssueDate, 113 IssueTime, 114 DocumentType, 115 XPath,
  116 LanguageID, 117 LocaleCode, 118 VersionID, 119 DocumentStatusCode, 131 ValidityPeriod, 132 IssuerParty,
  133 ResultOfVerification
AdditionalDocumentReference/Attachment/ExternalReference: 121 DocumentHash, 122 HashAlgorithmMethod, 123 ExpiryDate,
  124 ExpiryTime, 125 MimeCode, 126 FormatCode, 127 EncodingCode, 128 CharacterSetCode, 129 FileName, 130 Description
ProjectReference: 134 UUID, 135 IssueDate, 136 WorkPhaseReference
AccountingSupplierParty: 138 CustomerAssignedAccountID, 139 AdditionalAccountID, 140 DataSendingCapability,
  198 DespatchContact, 199 AccountingContact, 200 SellerContact
AccountingSupplierParty/Party: 141 MarkCareIndicator, 142 MarkAttentionIndicator, 143 WebsiteURI, 144 LogoReferenceID,
  145 IndustryClassificationCode, 146 Language, 168 PhysicalLocation, 193 Person, 194 AgentParty,
  195 ServiceProviderParty, 196 PowerOfAttorney, 197 FinancialAccount
AccountingSupplierParty/Party/PostalAddress: 147 ID, 148 AddressTypeCode, 149 AddressFormatCode, 150 Postbox,
  151 Floor, 152 Room, 153 BlockName, 154 BuildingName, 155 BuildingNumber, 156 InhouseMail, 157 Department,
  158 MarkAttention, 159 MarkCare, 160 PlotIdentification, 161 CitySubdivisionName, 162 CountrySubentityCode,
  163 Region, 164 District, 165 TimezoneOffset, 167 LocationCoordinate
AccountingSupplierParty/Party/PostalAddress/Country: 166 Name
AccountingSupplierParty/Party/PartyTaxScheme: 169 RegistrationName, 170 TaxLevelCode, 171 ExemptionReasonCode,
  172 ExemptionReason, 173 RegistrationAddress
AccountingSupplierParty/Party/PartyTaxScheme/TaxScheme: 174 Name, 175 TaxTypeCode, 176 CurrencyCode,
  177 JurisdictionRegionAddress
AccountingSupplierParty/Party/PartyLegalEntity: 178 RegistrationDate, 179 RegistrationExpirationDate,
  180 CompanyLegalFormCode, 181 SoleProprietorshipIndicator, 182 CompanyLiquidationStatusCode,
  183 CorporateStockAmount, 184 FullyPaidSharesIndicator, 185 RegistrationAddress, 186 CorporateRegistrationScheme,
  187 HeadOfficeParty, 188 ShareholderParty
AccountingSupplierParty/Party/Contact: 189 ID, 190 Telefax, 191 Note, 192 OtherCommunication
AccountingCustomerParty: 201 CustomerAssignedAccountID, 202 SupplierAssignedAccountID, 203 AdditionalAccountID,
  262 DeliveryContact, 263 AccountingContact, 264 BuyerContact
AccountingCustomerParty/Party: 204 MarkCareIndicator, 205 MarkAttentionIndicator, 206 WebsiteURI, 207 LogoReferenceID,
  208 IndustryClassificationCode, 209 Language, 231 PhysicalLocation, 257 Person, 258 AgentParty,
  259 ServiceProviderParty, 260 PowerOfAttorney, 261 FinancialAccount
AccountingCustomerParty/Party/PostalAddress: 210 ID, 211 AddressTypeCode, 212 AddressFormatCode, 213 Postbox,
  214 Floor, 215 Room, 216 BlockName, 217 BuildingName, 218 BuildingNumber, 219 InhouseMail, 220 Department,
  221 MarkAttention, 222 MarkCare, 223 PlotIdentification, 224 CitySubdivisionName, 225 CountrySubentityCode,
  226 Region, 227 District, 228 TimezoneOffset, 230 LocationCoordinate
AccountingCustomerParty/Party/PostalAddress/Country: 229 Name
AccountingCustomerParty/Party/PartyTaxScheme: 232 RegistrationName, 233 TaxLevelCode, 234 ExemptionReasonCode,
  235 ExemptionReason, 236 RegistrationAddress
AccountingCustomerParty/Party/PartyTaxScheme/TaxScheme: 237 Name, 238 TaxTypeCode, 239 CurrencyCode,
  240 JurisdictionRegionAddress
AccountingCustomerParty/Party/PartyLegalEntity: 241 RegistrationDate, 242 RegistrationExpirationDate,
  243 CompanyLegalFormCode, 244 CompanyLegalForm, 245 SoleProprietorshipIndicator, 246 CompanyLiquidationStatusCode,
  247 CorporateStockAmount, 248 FullyPaidSharesIndicator, 249 RegistrationAddress, 250 CorporateRegistrationScheme,
  251 HeadOfficeParty, 252 ShareholderParty
AccountingCustomerParty/Party/Contact: 253 ID, 254 Telefax, 255 Note, 256 OtherCommunication
PayeeParty: 265 MarkCareIndicator, 266 MarkAttentionIndicator, 267 WebsiteURI, 268 LogoReferenceID, 269 EndpointID,
  270 IndustryClassificationCode, 271 Language, 272 PostalAddress, 273 PhysicalLocation, 274 PartyTaxScheme,
  288 Contact, 289 Person, 290 AgentParty, 291 ServiceProviderParty, 292 PowerOfAttorney, 293 FinancialAccount
PayeeParty/PartyLegalEntity: 275 RegistrationName, 276 RegistrationDate, 277 RegistrationExpirationDate,
  278 CompanyLegalFormCode, 279 CompanyLegalForm, 280 SoleProprietorshipIndicator, 281 CompanyLiquidationStatusCode,
  282 CorporateStockAmount, 283 FullyPaidSharesIndicator, 284 RegistrationAddress, 285 CorporateRegistrationScheme,
  286 HeadOfficeParty, 287 ShareholderParty
TaxRepresentativeParty: 296 MarkCareIndicator, 297 MarkAttentionIndicator, 298 WebsiteURI, 299 LogoReferenceID,
  300 EndpointID, 301 IndustryClassificationCode, 302 PartyIdentification, 303 Language, 325 PhysicalLocation,
  335 PartyLegalEntity, 336 Contact, 337 Person, 338 AgentParty, 339 ServiceProviderParty, 340 PowerOfAttorney,
  341 FinancialAccount
TaxRepresentativeParty/PostalAddress: 304 ID, 305 AddressTypeCode, 306 AddressFormatCode, 307 Postbox, 308 Floor,
  309 Room, 310 BlockName, 311 BuildingName, 312 BuildingNumber, 313 InhouseMail, 314 Department, 315 MarkAttention,
  316 MarkCare, 317 PlotIdentification, 318 CitySubdivisionName, 319 CountrySubentityCode, 320 Region, 321 District,
  322 TimezoneOffset, 324 LocationCoordinate
TaxRepresentativeParty/PostalAddress/Country: 323 Name
TaxRepresentativeParty/PartyTaxScheme: 326 RegistrationName, 327 TaxLevelCode, 328 ExemptionReasonCode,
  329 ExemptionReason, 330 RegistrationAddress
TaxRepresentativeParty/PartyTaxScheme/TaxScheme: 331 Name, 332 TaxTypeCode, 333 CurrencyCode,
  334 JurisdictionRegionAddress
Delivery: 342 ID, 343 Quantity, 344 MinimumQuantity, 345 MaximumQuantity, 346 ActualDeliveryTime,
  347 LatestDeliveryDate, 348 LatestDeliveryTime, 349 ReleaseID, 350 TrackingID, 382 AlternativeDeliveryLocation,
  383 RequestedDeliveryPeriod, 384 EstimatedDeliveryPeriod, 385 CarrierParty, 404 NotifyParty, 405 Despatch,
  406 DeliveryTerms, 407 MinimumDeliveryUnit, 408 MaximumDeliveryUnit, 409 Shipment, 682 DeliveryAddress
Delivery/DeliveryLocation: 351 Description, 352 Conditions, 353 CountrySubentity, 354 CountrySubentityCode,
  355 LocationTypeCode, 356 InformationURI, 357 Name, 358 ValidityPeriod, 380 SubsidiaryLocation,
  381 LocationCoordinate
Delivery/DeliveryLocation/Address: 359 ID, 360 AddressTypeCode, 361 AddressFormatCode, 362 Postbox, 363 Floor,
  364 Room, 365 BlockName, 366 BuildingName, 367 BuildingNumber, 368 InhouseMail, 369 Department, 370 MarkAttention,
  371 MarkCare, 372 PlotIdentification, 373 CitySubdivisionName, 374 CountrySubentityCode, 375 Region, 376 District,
  377 TimezoneOffset, 379 LocationCoordinate
`;
