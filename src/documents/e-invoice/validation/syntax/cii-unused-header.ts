// cspell:disable
/** More elements and attributes of CII that EN 16931 does not use; see `unused.ts`. */
export const CII_UNUSED_HEADER = `
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication:
  237 ChannelCode, 238 CompleteNumber
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTradeParty/URIUniversalCommunication:
  244 ChannelCode, 245 CompleteNumber
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTradeParty/SpecifiedTaxRegistration:
  246 AssociatedRegisteredTax
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/BuyerTradeParty: 249 RoleCode, 250 Description,
  276 EndPointURIUniversalCommunication, 277 LogoAssociatedSpecifiedBinaryFile
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/BuyerTradeParty/SpecifiedLegalOrganization:
  251 LegalClassificationCode, 252 Name, 254 PostalTradeAddress, 255 AuthorizedLegalRegistration
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/BuyerTradeParty/DefinedTradeContact: 256 ID, 257 TypeCode,
  258 JobTitle, 259 Responsibility, 260 PersonID, 263 DirectTelephoneUniversalCommunication,
  264 MobileTelephoneUniversalCommunication, 265 FaxUniversalCommunication, 268 TelexUniversalCommunication,
  269 VOIPUniversalCommunication, 270 InstantMessagingUniversalCommunication, 271 SpecifiedNote,
  272 SpecifiedContactPerson
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/BuyerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication:
  261 URIID, 262 ChannelCode
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/BuyerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication:
  266 ChannelCode, 267 CompleteNumber
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/BuyerTradeParty/URIUniversalCommunication: 273 ChannelCode,
  274 CompleteNumber
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/BuyerTradeParty/SpecifiedTaxRegistration:
  275 AssociatedRegisteredTax
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty: 282 ID, 283 GlobalID,
  284 RoleCode, 285 Description, 286 SpecifiedLegalOrganization, 287 DefinedTradeContact,
  288 URIUniversalCommunication, 290 EndPointURIUniversalCommunication, 291 LogoAssociatedSpecifiedBinaryFile
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTaxRepresentativeTradeParty/SpecifiedTaxRegistration:
  289 AssociatedRegisteredTax
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerOrderReferencedDocument: 294 LineID
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument: 295 LineID
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/ContractReferencedDocument: 298 LineID
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/AdditionalReferencedDocument: 303 LineID
SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SpecifiedProcuringProject: 307 Description
SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery: 308 RelatedSupplyChainConsignment,
  317 UltimateShipToTradeParty, 318 ShipFromTradeParty, 319 ActualDespatchSupplyChainEvent,
  320 ActualPickUpSupplyChainEvent, 331 ActualReceiptSupplyChainEvent, 332 AdditionalReferencedDocument,
  335 DeliveryNoteReferencedDocument, 336 ConsumptionReportReferencedDocument, 337 PreviousDeliverySupplyChainEvent,
  338 PackingListReferencedDocument
SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery/ShipToTradeParty: 309 RoleCode, 310 Description,
  311 SpecifiedLegalOrganization, 312 DefinedTradeContact, 313 URIUniversalCommunication,
  314 SpecifiedTaxRegistration, 315 EndPointURIUniversalCommunication, 316 LogoAssociatedSpecifiedBinaryFile
SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery/ActualDeliverySupplyChainEvent: 321 ID, 323 TypeCode,
  324 Description, 325 DescriptionBinaryObject, 326 UnitQuantity, 327 LatestOccurrenceDateTime,
  328 EarliestOccurrenceDateTime, 329 OccurrenceSpecifiedPeriod, 330 OccurrenceLogisticsLocation
SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime:
  322 DateTime
SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery/DespatchAdviceReferencedDocument: 333 LineID, 334 LineID
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement: 339 DuePayableAmount, 340 CreditorReferenceTypeCode,
  341 CreditorReferenceType, 342 CreditorReferenceIssuerID, 344 PaymentCurrencyCode, 345 InvoiceIssuerReference,
  346 InvoiceDateTime, 347 NextInvoiceDateTime, 348 CreditReasonCode, 349 CreditReason, 350 InvoicerTradeParty,
  351 InvoiceeTradeParty, 365 PayerTradeParty, 366 TaxApplicableTradeCurrencyExchange,
  367 InvoiceApplicableTradeCurrencyExchange, 368 PaymentApplicableTradeCurrencyExchange,
  395 SubtotalCalculatedTradeTax, 396 SpecifiedLogisticsServiceCharge, 421 SpecifiedFinancialAdjustment,
  423 ProFormaInvoiceReferencedDocument, 424 LetterOfCreditReferencedDocument,
  425 FactoringAgreementReferencedDocument, 426 FactoringListReferencedDocument,
  427 PayableSpecifiedTradeAccountingAccount, 433 PurchaseSpecifiedTradeAccountingAccount,
  434 SalesSpecifiedTradeAccountingAccount, 435 SpecifiedTradeSettlementFinancialCard, 436 SpecifiedAdvancePayment,
  437 UltimatePayeeTradeParty
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/PayeeTradeParty: 352 RoleCode, 353 Description,
  359 DefinedTradeContact, 360 PostalTradeAddress, 361 URIUniversalCommunication, 362 SpecifiedTaxRegistration,
  363 EndPointURIUniversalCommunication, 364 LogoAssociatedSpecifiedBinaryFile
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/PayeeTradeParty/SpecifiedLegalOrganization:
  354 LegalClassificationCode, 355 Name, 356 TradingBusinessName, 357 PostalTradeAddress,
  358 AuthorizedLegalRegistration
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementPaymentMeans:
  369 PaymentChannelCode, 370 GuaranteeMethodCode, 371 PaymentMethodCode, 443 ID
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementPaymentMeans/ApplicableTradeSettlementFinancialCard:
  372 MicrochipIndicator, 373 TypeCode, 375 ExpiryDate, 376 VerificationNumeric, 377 ValidFromDateTime,
  378 CreditLimitAmount, 379 CreditAvailableAmount, 380 InterestRatePercent, 381 Description
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementPaymentMeans/PayerPartyDebtorFinancialAccount:
  382 AccountName, 444 ProprietaryID
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementPaymentMeans/PayerSpecifiedDebtorFinancialInstitution:
  384 ClearingSystemName, 385 Name, 386 LocationFinancialInstitutionAddress
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge: 388 ID,
  389 SequenceNumeric, 390 BasisQuantity, 391 PrepaidIndicator, 392 UnitBasisAmount, 393 TypeCode,
  394 ActualTradeCurrencyExchange
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradePaymentTerms: 397 ID, 398 FromEventCode,
  399 SettlementPeriodMeasure, 401 TypeCode, 402 InstructionTypeCode, 404 PartialPaymentPercent, 405 PaymentMeansID,
  406 PartialPaymentAmount, 407 ApplicableTradePaymentPenaltyTerms, 408 ApplicableTradePaymentDiscountTerms,
  409 PayeeTradeParty
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradePaymentTerms/DueDateDateTime: 400 DateTime
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/InvoiceReferencedDocument: 422 LineID
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/ReceivableSpecifiedTradeAccountingAccount:
  428 SetTriggerCode, 429 TypeCode, 430 AmountTypeCode, 431 Name, 432 CostReferenceDimensionPattern
SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementHeaderMonetarySummation:
  411 InformationAmount, 412 TotalDiscountAmount, 413 TotalAllowanceChargeAmount,
  414 RetailValueExcludingTaxInformationAmount, 415 TotalDepositFeeInformationAmount,
  416 ProductValueExcludingTobaccoTaxInformationAmount, 417 TotalRetailValueInformationAmount,
  418 GrossLineTotalAmount, 419 NetLineTotalAmount, 420 NetIncludingTaxesLineTotalAmount
.: 438 ValuationBreakdownStatement
//*DocumentContextParameter: 04 Value, 05 SpecifiedDocumentVersion
SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/ApplicableTradeTax/CategoryCode:
  DT-045 @listID, DT-046 @listAgencyID, DT-047 @listVersionID, DT-048 @listURI
//*TradeTax: DT-038 CalculatedRate, DT-039 CalculationSequenceNumeric, DT-040 BasisQuantity, DT-042 UnitBasisAmount,
  DT-043 LineTotalBasisAmount, DT-044 AllowanceChargeBasisAmount, DT-049 CurrencyCode, DT-050 Jurisdiction,
  DT-051 CustomsDutyIndicator, DT-053 TaxBasisAllowanceRate, DT-055 Type, DT-056 InformationAmount,
  DT-057 CategoryName, DT-060 SpecifiedTradeAccountingAccount, DT-061 ServiceSupplyTradeCountry,
  DT-062 BuyerRepayableTaxSpecifiedTradeAccountingAccount, DT-063 SellerPayableTaxSpecifiedTradeAccountingAccount,
  DT-064 SellerRefundableTaxSpecifiedTradeAccountingAccount, DT-065 BuyerDeductibleTaxSpecifiedTradeAccountingAccount,
  DT-066 BuyerNonDeductibleTaxSpecifiedTradeAccountingAccount, DT-067 PlaceApplicableTradeLocation
//*TradeTax/RateApplicablePercent: DT-059 @format
`;
