// cspell:disable
/** The elements of UBL 2.1 that EN 16931 uses, in their order; see `content-models.ts`. */
export const UBL_STRUCTURE = `
Invoice: UBLExtensions?~ UBLVersionID? CustomizationID? ProfileID? ProfileExecutionID? ID CopyIndicator? UUID?
  IssueDate IssueTime? DueDate? InvoiceTypeCode? Note* TaxPointDate? DocumentCurrencyCode? TaxCurrencyCode?
  PricingCurrencyCode? PaymentCurrencyCode? PaymentAlternativeCurrencyCode? AccountingCostCode? AccountingCost?
  LineCountNumeric? BuyerReference? InvoicePeriod* OrderReference? BillingReference* DespatchDocumentReference*
  ReceiptDocumentReference* StatementDocumentReference* OriginatorDocumentReference* ContractDocumentReference*
  AdditionalDocumentReference* ProjectReference* Signature*~ AccountingSupplierParty AccountingCustomerParty
  PayeeParty? BuyerCustomerParty? SellerSupplierParty? TaxRepresentativeParty? Delivery* DeliveryTerms?~ PaymentMeans*
  PaymentTerms* PrepaidPayment* AllowanceCharge* TaxExchangeRate?~ PricingExchangeRate?~ PaymentExchangeRate?~
  PaymentAlternativeExchangeRate?~ TaxTotal* WithholdingTaxTotal* LegalMonetaryTotal InvoiceLine+
EstimatedDeliveryPeriod InvoicePeriod PaymentReversalPeriod PenaltyPeriod PromisedDeliveryPeriod
  RequestedDeliveryPeriod SettlementPeriod UsabilityPeriod ValidityPeriod: StartDate? StartTime? EndDate? EndTime?
  DurationMeasure? DescriptionCode* Description*
OrderReference: ID SalesOrderID? CopyIndicator? UUID? IssueDate? IssueTime? CustomerReference? OrderTypeCode?
  DocumentReference?
AdditionalDocumentReference CatalogueDocumentReference ContractDocumentReference CreditNoteDocumentReference
  DebitNoteDocumentReference DespatchDocumentReference DocumentReference InvoiceDocumentReference
  ItemSpecificationDocumentReference OriginatorDocumentReference ReceiptDocumentReference ReminderDocumentReference
  SelfBilledCreditNoteDocumentReference SelfBilledInvoiceDocumentReference StatementDocumentReference: ID
  CopyIndicator? UUID? IssueDate? IssueTime? DocumentTypeCode? DocumentType? XPath* LanguageID? LocaleCode? VersionID?
  DocumentStatusCode? DocumentDescription* Attachment? ValidityPeriod? IssuerParty? ResultOfVerification?~
Attachment: EmbeddedDocumentBinaryObject? ExternalReference?
ExternalReference: URI? DocumentHash? HashAlgorithmMethod? ExpiryDate? ExpiryTime? MimeCode? FormatCode? EncodingCode?
  CharacterSetCode? FileName? Description*
AgentParty CarrierParty DeliveryParty HeadOfficeParty InformationContentProviderParty IssuerParty ManufacturerParty
  NotifyParty OriginatorParty Party PayeeParty PayerParty TaxRepresentativeParty: MarkCareIndicator?
  MarkAttentionIndicator? WebsiteURI? LogoReferenceID? EndpointID? IndustryClassificationCode? PartyIdentification*
  PartyName* Language?~ PostalAddress? PhysicalLocation? PartyTaxScheme* PartyLegalEntity* Contact? Person*~
  AgentParty? ServiceProviderParty*~ PowerOfAttorney*~ FinancialAccount?
PartyIdentification: ID
PartyName: Name
Address DeliveryAddress JurisdictionRegionAddress OriginAddress PostalAddress RegistrationAddress: ID?
  AddressTypeCode? AddressFormatCode? Postbox? Floor? Room? StreetName? AdditionalStreetName? BlockName? BuildingName?
  BuildingNumber? InhouseMail? Department? MarkAttention? MarkCare? PlotIdentification? CitySubdivisionName? CityName?
  PostalZone? CountrySubentity? CountrySubentityCode? Region? District? TimezoneOffset? AddressLine* Country?
  LocationCoordinate*~
AddressLine: Line
Country OriginCountry: IdentificationCode? Name?
AlternativeDeliveryLocation DeliveryLocation PhysicalLocation SubsidiaryLocation: ID? Description* Conditions*
  CountrySubentity? CountrySubentityCode? LocationTypeCode? InformationURI? Name? ValidityPeriod* Address?
  SubsidiaryLocation* LocationCoordinate*~
PartyTaxScheme: RegistrationName? CompanyID? TaxLevelCode? ExemptionReasonCode? ExemptionReason* RegistrationAddress?
  TaxScheme
TaxScheme: ID? Name? TaxTypeCode? CurrencyCode? JurisdictionRegionAddress*
PartyLegalEntity: RegistrationName? CompanyID? RegistrationDate? RegistrationExpirationDate? CompanyLegalFormCode?
  CompanyLegalForm? SoleProprietorshipIndicator? CompanyLiquidationStatusCode? CorporateStockAmount?
  FullyPaidSharesIndicator? RegistrationAddress? CorporateRegistrationScheme?~ HeadOfficeParty? ShareholderParty*~
AccountingContact BuyerContact Contact DeliveryContact DespatchContact SellerContact: ID? Name? Telephone? Telefax?
  ElectronicMail? Note* OtherCommunication*~
FinancialAccount PayeeFinancialAccount PayerFinancialAccount: ID? Name? AliasName? AccountTypeCode? AccountFormatCode?
  CurrencyCode? PaymentNote* FinancialInstitutionBranch? Country?
FinancialInstitutionBranch: ID? Name? FinancialInstitution?~ Address?
BillingReference: InvoiceDocumentReference? SelfBilledInvoiceDocumentReference? CreditNoteDocumentReference?
  SelfBilledCreditNoteDocumentReference? DebitNoteDocumentReference? ReminderDocumentReference?
  AdditionalDocumentReference? BillingReferenceLine*~
ProjectReference: ID UUID? IssueDate? WorkPhaseReference*~
AccountingSupplierParty SellerSupplierParty: CustomerAssignedAccountID? AdditionalAccountID* DataSendingCapability?
  Party? DespatchContact? AccountingContact? SellerContact?
AccountingCustomerParty BuyerCustomerParty: CustomerAssignedAccountID? SupplierAssignedAccountID? AdditionalAccountID*
  Party? DeliveryContact? AccountingContact? BuyerContact?
Delivery: ID? Quantity? MinimumQuantity? MaximumQuantity? ActualDeliveryDate? ActualDeliveryTime? LatestDeliveryDate?
  LatestDeliveryTime? ReleaseID? TrackingID? DeliveryAddress? DeliveryLocation? AlternativeDeliveryLocation?
  RequestedDeliveryPeriod? PromisedDeliveryPeriod? EstimatedDeliveryPeriod? CarrierParty? DeliveryParty? NotifyParty*
  Despatch?~ DeliveryTerms*~ MinimumDeliveryUnit?~ MaximumDeliveryUnit?~ Shipment?~
PaymentMeans: ID? PaymentMeansCode PaymentDueDate? PaymentChannelCode? InstructionID? InstructionNote* PaymentID*
  CardAccount? PayerFinancialAccount? PayeeFinancialAccount? CreditAccount? PaymentMandate? TradeFinancing?~
CardAccount: PrimaryAccountNumberID NetworkID CardTypeCode? ValidityStartDate? ExpiryDate? IssuerID? IssueNumberID?
  CV2ID? CardChipCode? ChipApplicationID? HolderName?
CreditAccount: AccountID
PaymentMandate: ID? MandateTypeCode? MaximumPaymentInstructionsNumeric? MaximumPaidAmount? SignatureID? PayerParty?
  PayerFinancialAccount? ValidityPeriod? PaymentReversalPeriod? Clause*~
PaymentTerms: ID? PaymentMeansID* PrepaidPaymentReferenceID? Note* ReferenceEventCode? SettlementDiscountPercent?
  PenaltySurchargePercent? PaymentPercent? Amount? SettlementDiscountAmount? PenaltyAmount? PaymentTermsDetailsURI?
  PaymentDueDate? InstallmentDueDate? InvoicingPartyReference? SettlementPeriod? PenaltyPeriod? ExchangeRate?~
  ValidityPeriod?
PrepaidPayment: ID? PaidAmount? ReceivedDate? PaidDate? PaidTime? InstructionID?
AllowanceCharge: ID? ChargeIndicator AllowanceChargeReasonCode? AllowanceChargeReason* MultiplierFactorNumeric?
  PrepaidIndicator? SequenceNumeric? Amount BaseAmount? AccountingCostCode? AccountingCost? PerUnitAmount?
  TaxCategory* TaxTotal? PaymentMeans*
ClassifiedTaxCategory TaxCategory: ID? Name? Percent? BaseUnitMeasure? PerUnitAmount? TaxExemptionReasonCode?
  TaxExemptionReason* TierRange? TierRatePercent? TaxScheme
TaxTotal WithholdingTaxTotal: TaxAmount RoundingAmount? TaxEvidenceIndicator? TaxIncludedIndicator? TaxSubtotal*
TaxSubtotal: TaxableAmount? TaxAmount CalculationSequenceNumeric? TransactionCurrencyTaxAmount? Percent?
  BaseUnitMeasure? PerUnitAmount? TierRange? TierRatePercent? TaxCategory
LegalMonetaryTotal: LineExtensionAmount? TaxExclusiveAmount? TaxInclusiveAmount? AllowanceTotalAmount?
  ChargeTotalAmount? PrepaidAmount? PayableRoundingAmount? PayableAmount PayableAlternativeAmount?
InvoiceLine SubInvoiceLine: ID UUID? Note* InvoicedQuantity? LineExtensionAmount TaxPointDate? AccountingCostCode?
  AccountingCost? PaymentPurposeCode? FreeOfChargeIndicator? InvoicePeriod* OrderLineReference*
  DespatchLineReference*~ ReceiptLineReference*~ BillingReference* DocumentReference* PricingReference?~
  OriginatorParty? Delivery* PaymentTerms* AllowanceCharge* TaxTotal* WithholdingTaxTotal* Item Price? DeliveryTerms?~
  SubInvoiceLine* ItemPriceExtension?~
OrderLineReference: LineID SalesOrderLineID? UUID? LineStatusCode? OrderReference?
Item: Description* PackQuantity? PackSizeNumeric? CatalogueIndicator? Name? HazardousRiskIndicator?
  AdditionalInformation* Keyword* BrandName* ModelName* BuyersItemIdentification? SellersItemIdentification?
  ManufacturersItemIdentification* StandardItemIdentification? CatalogueItemIdentification?
  AdditionalItemIdentification* CatalogueDocumentReference? ItemSpecificationDocumentReference* OriginCountry?
  CommodityClassification* TransactionConditions*~ HazardousItem*~ ClassifiedTaxCategory* AdditionalItemProperty*
  ManufacturerParty* InformationContentProviderParty? OriginAddress* ItemInstance*~ Certificate*~ Dimension*~
AdditionalItemIdentification BuyersItemIdentification CatalogueItemIdentification ManufacturersItemIdentification
  SellersItemIdentification StandardItemIdentification: ID ExtendedID? BarcodeSymbologyID? PhysicalAttribute*~
  MeasurementDimension*~ IssuerParty?
CommodityClassification: NatureCode? CargoTypeCode? CommodityCode? ItemClassificationCode?
AdditionalItemProperty: ID? Name NameCode? TestMethod? Value? ValueQuantity? ValueQualifier* ImportanceCode?
  ListValue* UsabilityPeriod? ItemPropertyGroup*~ RangeDimension?~ ItemPropertyRange?~
Price: PriceAmount BaseQuantity? PriceChangeReason* PriceTypeCode? PriceType? OrderableUnitFactorRate? ValidityPeriod*
  PriceList?~ AllowanceCharge* PricingExchangeRate?~
CreditNote: UBLExtensions?~ UBLVersionID? CustomizationID? ProfileID? ProfileExecutionID? ID CopyIndicator? UUID?
  IssueDate IssueTime? TaxPointDate? CreditNoteTypeCode? Note* DocumentCurrencyCode? TaxCurrencyCode?
  PricingCurrencyCode? PaymentCurrencyCode? PaymentAlternativeCurrencyCode? AccountingCostCode? AccountingCost?
  LineCountNumeric? BuyerReference? InvoicePeriod* DiscrepancyResponse*~ OrderReference? BillingReference*
  DespatchDocumentReference* ReceiptDocumentReference* ContractDocumentReference* AdditionalDocumentReference*
  StatementDocumentReference* OriginatorDocumentReference* Signature*~ AccountingSupplierParty AccountingCustomerParty
  PayeeParty? BuyerCustomerParty? SellerSupplierParty? TaxRepresentativeParty? Delivery* DeliveryTerms*~ PaymentMeans*
  PaymentTerms* TaxExchangeRate?~ PricingExchangeRate?~ PaymentExchangeRate?~ PaymentAlternativeExchangeRate?~
  AllowanceCharge* TaxTotal* LegalMonetaryTotal CreditNoteLine+
CreditNoteLine SubCreditNoteLine: ID UUID? Note* CreditedQuantity? LineExtensionAmount? TaxPointDate?
  AccountingCostCode? AccountingCost? PaymentPurposeCode? FreeOfChargeIndicator? InvoicePeriod* OrderLineReference*
  DiscrepancyResponse*~ DespatchLineReference*~ ReceiptLineReference*~ BillingReference* DocumentReference*
  PricingReference?~ OriginatorParty? Delivery* PaymentTerms* TaxTotal* AllowanceCharge* Item? Price? DeliveryTerms*~
  SubCreditNoteLine* ItemPriceExtension?~
`;
